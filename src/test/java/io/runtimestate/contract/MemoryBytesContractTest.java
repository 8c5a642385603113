package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.ScoreRange;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.ScoredMember;
import io.runtimestate.data.StoreFigures;
import io.runtimestate.data.UsageRule;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.FakeClock;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/** {@code memory.maxBytes} over collections and limits. */
class MemoryBytesContractTest {
  private static final String LONG = "x".repeat(3_000);

  private final FakeClock clock = new FakeClock();

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("3 a refused growth changes nothing, whatever the family")
  void full_refused(Fixture f) {
    RuntimeState state = open(f, 3_200);
    get(state.sets().add("set", "m"));
    get(state.scores().set("score", "m", 1));
    List<RateScope> scopes = List.of(new RateScope("s", LONG, 1));
    List<UsageRule> rules = List.of(new UsageRule("{t}" + LONG, 1, seconds(1)));
    long bytes = bytes(state);
    assertFull(state.sets().addAll("set", List.of("n", LONG)));
    assertFull(state.sets().add("other", LONG));
    assertFull(
        state.scores().setAll("score", List.of(ScoredMember.of("m", 2), ScoredMember.of(LONG, 1))));
    assertFull(state.scores().increment("score", LONG, 1));
    assertFull(
        state.scores().recordSample("score", LONG, 1, OptionalDouble.empty(), null, seconds(1)));
    assertFull(state.rates().consume(scopes, 0, seconds(1)));
    assertFull(state.rates().tokenBucket(LONG, 1, 1, seconds(1)));
    assertFull(state.usage().consume(rules, "e"));
    assertThat(bytes(state)).isEqualTo(bytes);
    assertThat(get(state.sets().members("set"))).containsExactly("m");
    assertThat(get(state.scores().range("score", ScoreRange.all().withScores())))
        .containsExactly(ScoredMember.of("m", 1));
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("3 what replaces as much as it adds still works when memory is full")
  void full_replaces(Fixture f) {
    RuntimeState state = open(f, 2_000);
    int size = 0;
    while (bytes(state) < 1_890) {
      get(state.scores().set("s", "m" + size, size));
      size++;
    }
    assertFull(state.scores().set("s", "one more", 100));
    get(state.scores().set("s", "m0", 50));
    OptionalInt maxSize = OptionalInt.of(size);
    String sample = "n1";
    assertThat(
            get(
                state
                    .scores()
                    .recordSample("s", sample, 99, OptionalDouble.empty(), maxSize, seconds(1))))
        .isEqualTo(size);
    assertThat(get(state.scores().get("s", "m1"))).isEmpty();
    assertThat(get(state.scores().get("s", sample))).contains(99.0);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("3 what has expired makes room, whatever its family, and counts no longer")
  void full_reclaims(Fixture f) {
    RuntimeState state = open(f, 4_000);
    get(state.rates().consume(List.of(new RateScope("s", LONG, 1)), 0, ms(10)));
    assertFull(state.sets().add("set", LONG));
    clock.advance(ms(10));
    assertThat(get(state.sets().add("set", LONG))).isTrue();
    get(state.keys().expire("set", ms(10)));
    clock.advance(ms(10));
    assertThat(get(state.rates().tokenBucket(LONG, 1, 1, ms(10))).isAllowed()).isTrue();
    clock.advance(ms(10));
    StoreFigures store = get(state.statistics()).store().orElseThrow();
    assertThat(store.bytes()).isZero();
    assertThat(store.expirations()).isEqualTo(3);
    assertThat(List.of(store.sets(), store.counters(), store.buckets())).containsOnly(0L);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("12 the figures of the store count every family and return to 0")
  void figures_return(Fixture f) {
    RuntimeState state = open(f, Long.MAX_VALUE);
    List<String> members = IntStream.range(0, 100).mapToObj(i -> "m" + i).toList();
    List<UsageRule> rules = List.of(new UsageRule("{t}", 9, seconds(1)));
    get(state.sets().addAll("set", members));
    members.forEach(member -> get(state.scores().set("score", member, member.length())));
    get(state.rates().consume(List.of(new RateScope("s", "k", 9)), 0, seconds(1)));
    get(state.rates().tokenBucket("b", 9, 1, seconds(1)));
    get(state.usage().consume(rules, "e1"));
    get(state.usage().consume(rules, "e2"));
    StoreFigures full = get(state.statistics()).store().orElseThrow();
    assertThat(List.of(full.sets(), full.scores(), full.counters(), full.buckets()))
        .containsOnly(1L);
    assertThat(full.windows()).isEqualTo(1);
    assertThat(full.events()).isEqualTo(2);
    get(state.sets().removeAll("set", members));
    get(state.scores().removeByRank("score", 10, 20));
    get(state.scores().removeByScore("score", 9));
    get(state.usage().release(rules, "e1"));
    get(state.usage().release(rules, "e2"));
    clock.advance(seconds(2));
    assertThat(bytes(state)).isZero();
  }

  private RuntimeState open(Fixture f, long maxBytes) {
    RuntimeStateOptions options = f.options();
    options.getMemory().setMaxBytes(maxBytes);
    return f.open(options, clock);
  }

  private static void assertFull(Future<?> call) {
    assertFails(call, FailureCode.CAPACITY_EXHAUSTED).contains("memory.maxBytes is ");
  }

  private static long bytes(RuntimeState state) {
    return get(state.statistics()).store().orElseThrow().bytes();
  }
}
