package io.runtimestate.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.operation.Marked;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the server says about the keys of every command the library sends. */
class FirstKeyTest extends RedisTest {
  private static final Pattern WORD = Pattern.compile("\"((?:[^\"\\\\]++|\\\\.)*+)\"");

  private RedisServer server;

  @BeforeEach
  void start() {
    server = RedisServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  @DisplayName("E01: the first key of each command sent is the one COMMAND GETKEYS names")
  void asTheServerSays() {
    Map<String, List<String>> sent = sentByEverything();
    assertThat(sent.keySet())
        .contains("GET", "EVALSHA", "XREADGROUP", "SCAN", "TIME", "PING", "INFO", "SADD")
        .hasSizeGreaterThan(25);
    try (RedisSide side = server.side()) {
      sent.values().forEach(words -> assertThat(ours(words)).isEqualTo(theirs(side, words)));
    }
  }

  private static String ours(List<String> words) {
    List<byte[]> arguments = words.stream().skip(1).map(word -> word.getBytes(UTF_8)).toList();
    int at = FirstKey.of(command(words.get(0)), arguments);
    return words + " " + (at == FirstKey.NONE ? "none" : words.get(at + 1));
  }

  /** The client knows it under the same name, in the form that the table of odd places uses. */
  private static Command command(String name) {
    try {
      return (Command) Command.class.getField(name.toUpperCase(Locale.ROOT)).get(null);
    } catch (ReflectiveOperationException unknown) {
      throw new AssertionError(name, unknown);
    }
  }

  private static String theirs(RedisSide side, List<String> words) {
    List<String> question = new ArrayList<>(List.of("COMMAND", "GETKEYS"));
    question.addAll(words);
    try {
      List<?> keys = (List<?>) side.command(question.toArray(String[]::new));
      return words + " " + keys.get(0);
    } catch (RedisSide.ReplyError refused) {
      assertThat(refused) // a command of one word is too short for the question
          .hasMessageContaining(words.size() == 1 ? "wrong number" : "has no key arguments");
      return words + " none";
    }
  }

  /** One of each command and subcommand that clients, not scripts, sent, as words. */
  private Map<String, List<String>> sentByEverything() {
    try (RedisSide monitor = server.side()) {
      monitor.command("MONITOR");
      StateBackend backend = open(server.uri());
      for (int round = 0; round < 2; round++) {
        runEverything(backend);
      }
      Map<String, List<String>> sent = new LinkedHashMap<>();
      while (!monitor.silentFor(Duration.ofMillis(100))) {
        note((String) monitor.read(), sent);
      }
      return sent;
    }
  }

  private static void runEverything(StateBackend backend) {
    List<Future<?>> calls = new ArrayList<>();
    for (OperationType type : OperationCatalog.all()) {
      calls.add(backend.execute((Operation<?>) new Marked("{t}").make(type.recordClass())));
    }
    calls.forEach(call -> Await.until(call::isComplete, "it completes"));
  }

  private static void note(String line, Map<String, List<String>> sent) {
    List<String> words =
        WORD.matcher(line).results().map((MatchResult word) -> word.group(1)).toList();
    String name = words.isEmpty() ? "" : words.get(0).toUpperCase(Locale.ROOT);
    boolean handshake = Set.of("", "HELLO", "SCRIPT").contains(name);
    if (!line.contains(" lua]") && !handshake) {
      boolean hasSubcommand = Set.of("XINFO", "XGROUP").contains(name);
      sent.put(hasSubcommand ? name + " " + words.get(1) : name, words);
    }
  }
}
