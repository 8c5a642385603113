package io.runtimestate;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.BackendKind;
import io.runtimestate.data.FailureCode;
import io.runtimestate.support.Await;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** README.md says what is true: its Java compiles and runs, its tables have the defaults. */
class ReadmeTest {
  private static final Path README = Path.of("README.md");
  private static final Path SNIPPETS =
      Path.of("src", "test", "java", "io", "runtimestate", "ReadmeSnippets.java");

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    get(vertx.close());
  }

  @Test
  void java_isThatOfTheSnippets() throws IOException {
    assertThat(between(README, "```java", "```"))
        .isEqualTo(between(SNIPPETS, "// readme", "// end"));
  }

  @Test
  void options_haveTheirDefaults() throws IOException {
    String readme = Files.readString(README);
    for (String row : rows("", new RuntimeStateOptions().toJsonWithSecrets())) {
      assertThat(readme).contains("\n" + row);
    }
  }

  @Test
  void json_configurationsAreOptions() throws IOException {
    for (String json : between(README, "```json", "```")) {
      assertThat(new RuntimeStateOptions(new JsonObject(json)).validate()).isNotNull();
    }
  }

  @Test
  void snippets_onAState() {
    RuntimeState state = get(RuntimeState.open(vertx, new RuntimeStateOptions()));
    get(ReadmeSnippets.values(state));
    get(ReadmeSnippets.keys(state));
    get(ReadmeSnippets.sets(state));
    get(ReadmeSnippets.scores(state));
    get(ReadmeSnippets.rates(state));
    get(ReadmeSnippets.usage(state));
    get(ReadmeSnippets.locks(state));
    get(ReadmeSnippets.semaphores(state));
    get(ReadmeSnippets.queues(state));
    get(ReadmeSnippets.workers(state));
    get(ReadmeSnippets.deadLetters(state));
    assertThat(get(ReadmeSnippets.computed(state))).isEqualTo("rates1");
    assertThat(get(ReadmeSnippets.operation(state))).isEqualTo(2);
    assertThat(get(ReadmeSnippets.failures(state))).isEqualTo(3);
    assertThat(get(ReadmeSnippets.health(vertx, state)).getUp()).isTrue();
  }

  @Test
  void snippets_overTheEventBus() {
    get(ReadmeSnippets.deploy(vertx));
    assertThat(get(ReadmeSnippets.bus(vertx))).isEqualTo(1);
    assertThat(get(ReadmeSnippets.client(vertx))).isEqualTo(Optional.empty());
    EventBus bus = vertx.eventBus();
    Throwable failure = Await.failure(bus.request("runtime-state.kv.get", new JsonObject()));
    assertThat(ReadmeSnippets.codeOf(failure)).isEqualTo(FailureCode.INVALID_INPUT);
  }

  @Test
  void snippets_rest() {
    assertThat(ReadmeSnippets.redis().validate().effectiveBackend()).isEqualTo(BackendKind.REDIS);
    assertThat(ReadmeSnippets.metrics().getMeters()).isNotNull();
    assertThat(new ReadmeSnippets.VisitCounter()).isNotNull();
  }

  /** The beginning of a table row for every option that has a default. */
  private static List<String> rows(String path, JsonObject options) {
    List<String> rows = new ArrayList<>();
    options.forEach(
        option -> {
          String name = path + option.getKey();
          if (option.getValue() instanceof JsonObject section) {
            rows.addAll(rows(name + ".", section));
          } else {
            rows.add("| `" + name + "` | " + option.getValue() + " |");
          }
        });
    return rows;
  }

  /** The texts between lines that say {@code begin} and {@code end}, without their margin. */
  private static List<String> between(Path file, String begin, String end) throws IOException {
    Pattern block =
        Pattern.compile(
            "^ *" + Pattern.quote(begin) + "\n(.*?)^ *" + Pattern.quote(end) + "$",
            Pattern.DOTALL | Pattern.MULTILINE);
    return block
        .matcher(Files.readString(file))
        .results()
        .map(found -> found.group(1).stripTrailing().stripIndent())
        .toList();
  }
}
