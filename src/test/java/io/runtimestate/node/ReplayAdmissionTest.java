package io.runtimestate.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.RedisServer;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayAdmissionTest {
  @TempDir private Path directory;

  private final Command command = new Command();

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  void limit_admitsWhatHasRoomByTheClockOfTheLog(Fixture f) {
    AdmissionLog log = new AdmissionLog(2_000, 5, 60);
    Path file = log.write(directory);
    JsonObject counted = replayed(file, f.options(), "--limit", "5", "--window", "60");
    assertThat(counted.getLong("allowed")).isEqualTo(log.allowed());
    assertThat(counted.getLong("rejected")).isEqualTo(log.rejected()).isPositive();
    assertThat(counted.getLong("admittedBytes")).isEqualTo(log.admittedBytes());
    assertTop(counted, log);
    assertThat(replayed(file, f.options(), "--limit", "5", "--window", "60", "--twice"))
        .isEqualTo(counted);
  }

  private static void assertTop(JsonObject counted, AdmissionLog log) {
    List<JsonObject> top =
        counted.getJsonArray("topClients").stream().map(JsonObject.class::cast).toList();
    assertThat(top).extracting(client -> client.getLong("bytes")).isEqualTo(log.top());
    assertThat(top)
        .allMatch(client -> client.getLong("bytes") == log.bytesOf(client.getString("client")));
  }

  @EachBackend(DoorKind.REDIS)
  void limit_leavesNothingButWindowsThatEnd(Fixture f) {
    RuntimeStateOptions options = f.options();
    replayed(
        new AdmissionLog(300, 5, 60).write(directory), options, "--limit", "5", "--window", "60");
    try (var side = RedisServer.shared().side()) {
      List<?> left = (List<?>) side.command("KEYS", options.getKeyPrefix() + ":*");
      assertThat(left)
          .isNotEmpty()
          .allMatch(key -> key.toString().startsWith(options.getKeyPrefix() + ":ul:"))
          .allMatch(key -> (long) side.command("PTTL", key.toString()) <= 180_000);
    }
  }

  @Test
  void noLimit_admitsEverything() {
    RequestLogFile log = new RequestLogFile().add("a", 1, 5).add("b", 1, 7).add("a", 1, 0);
    JsonObject counted = replayed(log.write(directory), new RuntimeStateOptions());
    assertThat(counted.getLong("allowed")).isEqualTo(3);
    assertThat(counted.getLong("rejected")).isZero();
    assertThat(counted.getLong("admittedBytes")).isEqualTo(12);
    assertThat(counted.getJsonArray("topClients").encode())
        .isEqualTo("[{\"client\":\"b\",\"bytes\":7},{\"client\":\"a\",\"bytes\":5}]");
  }

  @Test
  void emptyLog_hasNoClients() {
    JsonObject counted = replayed(new RequestLogFile().write(directory), new RuntimeStateOptions());
    assertThat(counted.getLong("allowed")).isZero();
    assertThat(counted.getJsonArray("topClients")).isEmpty();
  }

  /** More windows than an ordinary node keeps, all of them over by the node's own clock. */
  @Test
  void limit_moreClientsThanAnOrdinaryNodeLimits() {
    RequestLogFile log = new RequestLogFile();
    for (int i = 0; i < 22_000; i++) {
      log.add("c" + i % 11_000, 1_431_857_100, 1);
    }
    JsonObject counted =
        replayed(log.write(directory), new RuntimeStateOptions(), "--limit", "1", "--window", "60");
    assertThat(counted.getLong("allowed")).isEqualTo(11_000);
    assertThat(counted.getLong("rejected")).isEqualTo(11_000);
  }

  /** A client is part of a hash tag, which ends with the first brace. */
  @ParameterizedTest
  @ValueSource(strings = {"}", "{}", "%7D", "{", " ", "a}b", "\u00fc"})
  void limit_clientsOfAllKinds(String client) {
    RequestLogFile log = new RequestLogFile().add(client, 1, 3).add(client, 1, 4).add("}x", 1, 5);
    JsonObject counted =
        replayed(log.write(directory), new RuntimeStateOptions(), "--limit", "1", "--window", "9");
    assertThat(counted.getLong("allowed")).isEqualTo(2);
    assertThat(counted.getLong("admittedBytes")).isEqualTo(8);
  }

  @Test
  void limit_timeBeyondWhatAStoreTakes() {
    RequestLogFile log = new RequestLogFile().add("a", 1, 1).add("b", 999_999_999_999_999_999L, 1);
    String file = log.write(directory).toString();
    assertThat(command.replay(file, "--limit", "1", "--window", "9")).isEqualTo(1);
    assertThat(command.err())
        .last()
        .asString()
        .startsWith("replay: line 3: usage.consume: ")
        .endsWith("(INVALID_INPUT)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--limit 1",
        "--window 1",
        "--twice",
        "--limit 0 --window 1",
        "--limit 1 --window -1",
        "--limit x --window 1",
        "--limit 1 --window 1.5",
        "--limit 1 --window 3155760001",
        "--limit 9007199254740992 --window 1",
        "--limit 1 --limit 2 --window 1",
        "--limit 1 --window",
      })
  void wrongArguments(String args) {
    assertThat(command.replay(("f.tsv " + args).split(" "))).isEqualTo(2);
    assertThat(command.err().get(0)).matches("(--|unknown argument).*");
    assertThat(command.err().get(1)).startsWith("usage: ");
  }

  private JsonObject replayed(Path log, RuntimeStateOptions options, String... args) {
    return command.replayed(log, options, args);
  }
}
