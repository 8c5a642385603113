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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayWorkersTest {
  private static final String[] LIMITED = {"--limit", "5", "--window", "60", "--workers", "3"};

  @TempDir private Path directory;

  private final Command command = new Command();

  @EachBackend(DoorKind.MEMORY)
  void workers_countEveryAdmittedRequestOnce(Fixture f) {
    AdmissionLog log = new AdmissionLog(1_000, 5, 60);
    JsonObject counted = command.replayed(log.write(directory), f.options(), LIMITED);
    assertCounted(counted, log);
    assertThat(counted.getLong("redelivered")).isZero();
  }

  private static void assertCounted(JsonObject counted, AdmissionLog log) {
    assertThat(counted.getLong("allowed")).isEqualTo(log.allowed());
    assertThat(counted.getLong("processed")).isEqualTo(log.allowed());
    assertThat(counted.getLong("bytesByWorkers")).isEqualTo(log.admittedBytes());
    assertThat(counted.getLong("deadLettered")).isZero();
  }

  /** The one that is killed has counted requests that it did not acknowledge. */
  @EachBackend(DoorKind.REDIS)
  void workers_countOnceAlthoughOneIsKilled(Fixture f) {
    AdmissionLog log = new AdmissionLog(800, 800, 60);
    RuntimeStateOptions options = f.options();
    JsonObject counted =
        command.replayed(log.write(directory), options, "--workers", "2", "--kill", "20");
    assertCounted(counted, log);
    assertThat(counted.getLong("redelivered")).isPositive();
    assertNothingLeft(options);
  }

  @EachBackend(DoorKind.REDIS)
  void workers_tooFewRequestsToKillOne(Fixture f) throws IOException {
    String log = new AdmissionLog(5, 5, 60).write(directory).toString();
    Path conf = directory.resolve("conf.json");
    Files.writeString(conf, f.options().toJsonWithSecrets().encode());
    assertThat(command.replay(log, "--conf", conf.toString(), "--workers", "2", "--kill", "20"))
        .isEqualTo(1);
    assertThat(command.err())
        .last()
        .isEqualTo("replay: the first worker was not killed: it had too little to do");
    assertNothingLeft(f.options());
  }

  private static void assertNothingLeft(RuntimeStateOptions options) {
    try (var side = RedisServer.shared().side()) {
      assertThat((List<?>) side.command("KEYS", options.getKeyPrefix() + ":*")).isEmpty();
    }
  }

  @Test
  void kill_needsProcesses() {
    String log = new AdmissionLog(5, 5, 60).write(directory).toString();
    assertThat(command.replay(log, "--workers", "2", "--kill", "1")).isEqualTo(1);
    assertThat(command.err()).containsExactly("replay: only on redis a worker can be killed");
  }

  @Test
  void noWorkers_nothingIsTotalled() {
    Path log = new AdmissionLog(5, 5, 60).write(directory);
    assertThat(command.replayed(log, new RuntimeStateOptions()).fieldNames())
        .doesNotContain("processed", "redelivered", "deadLettered", "bytesByWorkers");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--workers 0", "--workers x", "--kill 1", "--workers 1 --kill 1"})
  void wrongArguments(String args) {
    assertThat(command.replay(("f.tsv " + args).split(" "))).isEqualTo(2);
    assertThat(command.err().get(1)).startsWith("usage: ");
  }
}
