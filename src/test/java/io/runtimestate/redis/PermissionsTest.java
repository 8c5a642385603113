package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.operation.KeyOperation;
import io.runtimestate.operation.Marked;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.ReadmeAcl;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of permissions in README.md: no command more, none less, and no key outside. */
class PermissionsTest extends RedisTest {
  private static final Pattern IN_CODE = Pattern.compile("\\bCommand\\.([A-Z]+)\\b");
  private static final Pattern IN_SCRIPT = Pattern.compile("call\\('([A-Z]+)'");

  /** What the library can do without, or needs in other topologies or databases only. */
  private static final Set<String> OPTIONAL =
      Set.of(
          "+hello",
          "+auth",
          "+select",
          "+client|setname",
          "+info",
          "+script|load",
          "+cluster|slots",
          "+asking",
          "+role",
          "+publish",
          "+subscribe");

  private static final String OTHERS_KEY = "PermissionsTestX:d:k";

  private static RedisServer server;
  private static RedisSide side;

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
    side = server.side();
  }

  @BeforeEach
  void startEmpty() {
    side.command("FLUSHALL");
    side.command("ACL", "LOG", "RESET");
  }

  @AfterAll
  static void stopServer() {
    side.close();
    server.close();
  }

  private RuntimeStateOptions limited() {
    return options(server.uri(ReadmeAcl.USER, "pw", 0));
  }

  private static void createUser() {
    ReadmeAcl.createUser(server, "pw", "~PermissionsTest:*");
  }

  static List<String> commandRules() {
    return ReadmeAcl.rules().stream().filter(rule -> rule.startsWith("+")).toList();
  }

  static Stream<String> required() {
    return commandRules().stream().filter(rule -> !OPTIONAL.contains(rule));
  }

  @Test
  @DisplayName("the list names exactly the commands that the code and its scripts use")
  void listIsExact() {
    Set<String> used = new TreeSet<>();
    words("src/main/java/io/runtimestate/redis", IN_CODE).forEach(used::add);
    words("src/main/resources/io/runtimestate/redis/lua", IN_SCRIPT).forEach(used::add);
    used.remove("sentinel"); // sent to sentinels only
    used.addAll(List.of("hello", "select")); // sent by the client
    Set<String> listed = new TreeSet<>();
    commandRules().forEach(rule -> listed.add(rule.substring(1).replaceFirst("\\|.*", "")));
    assertThat(used).hasSizeGreaterThan(50).containsExactlyElementsOf(listed);
  }

  private static Stream<String> words(String directory, Pattern pattern) {
    try (Stream<Path> files = Files.list(Path.of(directory))) {
      return files.toList().stream()
          .flatMap(file -> pattern.matcher(read(file)).results())
          .map((MatchResult found) -> found.group(1).toLowerCase(Locale.ROOT));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("required")
  @DisplayName("C472: open fails for each missing permission, and works with the list as it is")
  void missing(String rule) {
    createUser();
    side.command("ACL", "SETUSER", ReadmeAcl.USER, rule.replace('+', '-'));
    assertThat(failure(opening(limited())).code()).isEqualTo(FailureCode.INVALID_CONFIGURATION);
    createUser();
    assertThat(run(open(limited()), get("k"))).isEmpty();
  }

  @Test
  @DisplayName("without the niceties everything works all the same")
  void withoutOptional() {
    createUser();
    OPTIONAL.forEach(
        rule -> side.command("ACL", "SETUSER", ReadmeAcl.USER, rule.replace('+', '-')));
    StateBackend backend = open(limited());
    run(backend, set("k", "v"));
    assertThat(run(backend, compareAndSet("k", "v", "w"))).isTrue();
    assertThat(run(backend, new KeyOperation.Delete("k"))).isTrue();
    assertThat(ScanTest.scanAll(backend, "*", 100, page -> {})).isEmpty();
  }

  /** Texts that mean something elsewhere: to globs, slots, scripts, shells, the wire. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{t}*",
        "{t}?",
        "{t}[^x]",
        "{t}\\",
        "{t}}{",
        "{t}{}",
        "{t}:d:",
        "{t}\r\nFLUSHALL\r\n",
        "{t}'..redis.call('FLUSHALL')..'",
        "{t}%s%7D~",
        "{t}../../x",
        "{t}\u0000x"
      })
  @DisplayName("R03: no name leads outside of the prefix, whatever is in it")
  void nothingOutside(String text) {
    createUser();
    side.command("SET", OTHERS_KEY, "untouched");
    StateBackend backend = open(limited());
    for (int round = 0; round < 2; round++) {
      runEverything(backend, text);
    }
    assertThat(side.command("ACL", "LOG")).as("refusals").isEqualTo(List.of());
    List<?> keys = (List<?>) side.command("KEYS", "*");
    assertThat(keys).allMatch(key -> key.equals(OTHERS_KEY) || isOurs((String) key));
    assertThat(side.command("GET", OTHERS_KEY)).isEqualTo("untouched");
  }

  private static boolean isOurs(String key) {
    return key.startsWith("PermissionsTest:");
  }

  private static void runEverything(StateBackend backend, String text) {
    List<Future<?>> calls = new ArrayList<>();
    for (OperationType type : OperationCatalog.all()) {
      calls.add(backend.execute((Operation<?>) new Marked(text).make(type.recordClass())));
    }
    for (Future<?> call : calls) {
      Await.until(call::isComplete, "it completes");
      if (call.failed()) {
        assertThat(failure(call).code())
            .as(call.cause().getMessage())
            .isNotIn(FailureCode.INVALID_CONFIGURATION, FailureCode.INTERNAL);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "?ermissionsTestX:d:k", "\\*", "[P]*", "../*", "*:d:k", "k"})
  @DisplayName("R03: no pattern shows keys of others")
  void scanShowsOwnOnly(String pattern) {
    createUser();
    side.command("SET", OTHERS_KEY, "v");
    side.command("SET", "PermissionsTest", "v");
    side.command("SET", "k", "v");
    StateBackend backend = open(limited());
    run(backend, set("own", "v"));
    assertThat(ScanTest.scanAll(backend, pattern, 100, page -> {}))
        .allMatch(key -> key.equals("own"));
  }
}
