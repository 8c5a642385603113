package io.runtimestate.soak;

import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many messages through everything that can go wrong. The properties {@code
 * runtimestate.soak.messages} and {@code runtimestate.soak.seed} change the long run.
 */
class QueueSoakTest {
  private static final int MESSAGES = Integer.getInteger("runtimestate.soak.messages", 200_000);
  private static final long SEED = Long.getLong("runtimestate.soak.seed", 20_260_101L);
  private static final int SHORT = 4_000;
  private static final Logger LANES = Logger.getLogger("io.runtimestate.redis.LaneEvents");

  static Stream<Arguments> stores() {
    return Stream.of(named("memory", MemorySoakStore::new), named("redis", RedisSoakStore::new));
  }

  private static Arguments named(String name, Function<CallGate, SoakStore> store) {
    return Arguments.of(Named.of(name, store));
  }

  @ParameterizedTest
  @MethodSource("stores")
  @DisplayName("9 short: nothing is lost, nothing is in two places, and the figures are true")
  void soak_short(Function<CallGate, SoakStore> store) {
    run(store, SHORT, SHORT / 25);
  }

  @Tag("soak")
  @ParameterizedTest
  @MethodSource("stores")
  @DisplayName("9 long: nothing is lost, nothing is in two places, and the figures are true")
  void soak_long(Function<CallGate, SoakStore> store) {
    run(store, MESSAGES, 400);
  }

  private static void run(Function<CallGate, SoakStore> opening, int messages, int perEvent) {
    Level usual = LANES.getLevel();
    LANES.setLevel(Level.OFF); // each cut would be a warning
    CallGate gate = new CallGate();
    try (SoakStore store = opening.apply(gate)) {
      Soak soak = new Soak(store, gate, SEED, messages, perEvent);
      soak.run();
      System.out.println(soak.figures());
    } finally {
      LANES.setLevel(usual);
    }
  }
}
