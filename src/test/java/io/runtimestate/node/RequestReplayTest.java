package io.runtimestate.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.RedisServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestReplayTest {
  @TempDir private Path directory;

  private final Command command = new Command();

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  void replay_countsWhatIsInTheLog(Fixture f) {
    RequestLogFile log = RequestLogFile.random(3_000);
    JsonObject counted = command.replayed(log.write(directory), f.options());
    assertThat(counted.getString("backend")).isEqualTo(f.kind().word());
    assertThat(counted.getLong("requests")).isEqualTo(log.requests());
    assertThat(counted.getLong("clients")).isEqualTo(log.clients());
    assertThat(counted.getLong("paths")).isEqualTo(log.paths());
    JsonObject last = counted.getJsonObject("lastStatus");
    assertThat(last.getLong("200")).isEqualTo(log.lastStatus(200));
    assertThat(last.getLong("404")).isEqualTo(log.lastStatus(404));
  }

  @EachBackend(DoorKind.REDIS)
  void replay_againCountsTheSameAndLeavesNothing(Fixture f) {
    Path log = RequestLogFile.random(500).write(directory);
    RuntimeStateOptions options = f.options();
    assertThat(command.replayed(log, options)).isEqualTo(command.replayed(log, options));
    try (var side = RedisServer.shared().side()) {
      assertThat((List<?>) side.command("KEYS", options.getKeyPrefix() + ":*")).isEmpty();
    }
  }

  /** Ten thousand values are what a node holds unless it is told otherwise. */
  @Test
  void replay_moreKeysThanAnOrdinaryNodeHolds() {
    RequestLogFile log = new RequestLogFile();
    for (int i = 0; i < 6_000; i++) {
      log.add("c" + i, "/p/" + i, 200);
    }
    assertThat(command.replay(log.write(directory).toString())).as("%s", command.err()).isZero();
    assertThat(new JsonObject(command.lastOut()).getLong("clients")).isEqualTo(6_000);
  }

  @Test
  void replay_textsOfAllKinds() {
    RequestLogFile log =
        new RequestLogFile().add("c*", "/a*?[b]", 200).add(" ", "/ü\uD83D\uDE00", 200);
    assertThat(command.replay(log.write(directory).toString())).as("%s", command.err()).isZero();
    assertThat(new JsonObject(command.lastOut()).getLong("paths")).isEqualTo(2);
  }

  @Test
  void replay_emptyLog() {
    assertThat(command.replay(new RequestLogFile().write(directory).toString())).isZero();
    assertThat(new JsonObject(command.lastOut()).getLong("requests")).isZero();
  }

  @Test
  void replay_malformedLine() {
    String good = "1\tc\tGET\t/\t200\t5";
    assertFails(4, "6 columns expected, 5 found", good, good, "1\tc\tGET\t/\t200");
    assertFails(2, "6 columns expected, 1 found", "");
    assertFails(3, "status must be a decimal number", good, "1\tc\tGET\t/\t2x0\t5");
    assertFails(2, "epoch_seconds must be a decimal number", "-1\tc\tGET\t/\t200\t5");
    assertFails(2, "bytes must be a decimal number", "1\tc\tGET\t/\t200\t9999999999999999999");
    assertFails(2, "client is empty", "1\t\tGET\t/\t200\t5");
  }

  private void assertFails(int line, String rule, String... lines) {
    RequestLogFile log = new RequestLogFile();
    List.of(lines).forEach(log::addLine);
    Command failing = new Command();
    assertThat(failing.replay(log.write(directory).toString())).isEqualTo(1);
    assertThat(failing.out()).isEmpty();
    assertThat(failing.err()).containsExactly("replay: line " + line + ": " + rule);
  }

  @Test
  void replay_wrongHeader() {
    Path log = RequestLogFile.write(directory, "client\tpath", "c\t/");
    assertThat(command.replay(log.toString())).isEqualTo(1);
    assertThat(command.err()).singleElement().asString().startsWith("replay: line 1: the header");
  }

  @Test
  void replay_wrongArguments() {
    for (String[] args :
        new String[][] {{}, {"--conf"}, {"a", "b"}, {"a", "--bogus"}, {"a", "--conf"}}) {
      Command wrong = new Command();
      assertThat(wrong.replay(args)).isEqualTo(2);
      assertThat(wrong.err().get(1)).startsWith("usage: ");
      assertThat(wrong.out()).isEmpty();
    }
  }

  @Test
  void replay_missingFiles() {
    assertThat(command.replay("none.tsv")).isEqualTo(1);
    assertThat(command.err()).containsExactly("replay: cannot read none.tsv");
    Command other = new Command();
    String log = new RequestLogFile().write(directory).toString();
    assertThat(other.replay(log, "--conf", "none.json")).isEqualTo(1);
    assertThat(other.err()).containsExactly("replay: cannot read the configuration none.json");
  }

  @Test
  void replay_serverDown() throws IOException {
    RuntimeStateOptions options = new RuntimeStateOptions();
    options.getRedis().setUrl("redis://127.0.0.1:1").setOpenTimeout(Duration.ofSeconds(1));
    String log = new RequestLogFile().write(directory).toString();
    assertThat(command.replay(log, "--conf", conf(options))).isEqualTo(1);
    assertThat(command.err()).singleElement().asString().startsWith("replay: ");
  }

  /** The file of {@code -Druntimestate.requests=FILE}, or a generated one. */
  @Test
  void replay_givenFile() throws IOException {
    String generated = RequestLogFile.random(500).write(directory).toString();
    assertThat(command.replay(System.getProperty("runtimestate.requests", generated))).isZero();
    assertThat(new JsonObject(command.lastOut()).getLong("requests")).isPositive();
  }

  private String conf(RuntimeStateOptions options) throws IOException {
    Path conf = Files.createTempFile(directory, "conf", ".json");
    return Files.writeString(conf, options.toJsonWithSecrets().encode()).toString();
  }
}
