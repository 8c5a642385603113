package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.FixedWindow;
import io.runtimestate.RateConsume;
import io.runtimestate.RateLimits;
import io.runtimestate.RuntimeState;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RateDecision;
import io.runtimestate.data.RateDecision.Allowed;
import io.runtimestate.data.RateDecision.Rejected;
import io.runtimestate.data.RateScope;
import io.runtimestate.operation.RateOperation;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.FakeClock;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

class RateContractTest {
  private static final long MAX_LIMIT = 4_294_967_295L;
  private static final Duration TTL = seconds(60);

  @EachBackend
  @DisplayName("C193 a scope with limit 0 is not limited")
  void consume_oneLimited(Fixture f) {
    assertThat(userAndKey(f, "u", 1, "k", 0)).isEqualTo(allowed(0, 1));
    assertThat(count(f, "u")).isEqualTo(1);
    assertThat(userAndKey(f, "u", 1, "k", 0)).isEqualTo(rejected("user", 1));
    assertThat(count(f, "u")).isEqualTo(1);
    assertThat(count(f, "k")).isZero();
  }

  @EachBackend
  @DisplayName("C194 J11 a refusal charges no scope")
  void consume_twoKeys(Fixture f) {
    assertThat(userAndKey(f, "u", 2, "k1", 5).isAllowed()).isTrue();
    assertThat(userAndKey(f, "u", 2, "k2", 5).isAllowed()).isTrue();
    assertThat(userAndKey(f, "u", 2, "k1", 5)).isEqualTo(rejected("user", 2));
    assertThat(count(f, "u")).isEqualTo(2);
    assertThat(count(f, "k1")).isEqualTo(1);
    assertThat(count(f, "k2")).isEqualTo(1);
  }

  @EachBackend
  @DisplayName("C195 C196 the first scope without room is named")
  void consume_tightest(Fixture f) {
    assertThat(userAndKey(f, "u", 10, "k", 1)).isEqualTo(allowed(0, 1));
    assertThat(userAndKey(f, "u", 10, "k", 1)).isEqualTo(rejected("key", 1));
    assertThat(count(f, "u")).isEqualTo(1);
    assertThat(userAndKey(f, "u", 1, "k", 1)).isEqualTo(rejected("user", 1));
  }

  @EachBackend
  @DisplayName("C198 C199 what is not limited is neither counted nor created")
  void consume_unlimited(Fixture f) {
    for (int i = 0; i < 3; i++) {
      assertThat(userAndKey(f, "u", 0, "k", 0)).isEqualTo(allowed(0, 0));
    }
    assertThat(userAndKey(f, "u", 0, "k", 3)).isEqualTo(allowed(2, 3));
    assertThat(count(f, "u")).isZero();
    assertThat(count(f, "k")).isEqualTo(1);
    get(f.state().rates().refund(List.of(scope(f, "user", "u", 0)), 1));
    assertThat(count(f, "u")).isZero();
  }

  @EachBackend
  @DisplayName("C200 J03 a counter ends after its ttl, whatever its first cost was")
  void consume_ttl(Fixture f) {
    List<RateScope> scopes = List.of(scope(f, "s", "k", 7));
    assertThat(get(f.state().rates().consume(scopes, 1, ms(300), 7, null)).isAllowed()).isTrue();
    assertThat(get(f.state().rates().consume(scopes, 1, ms(300), 1, null)).isAllowed()).isFalse();
    f.pass(ms(360));
    assertThat(count(f, "k")).isZero();
    assertThat(get(f.state().rates().consume(scopes, 1, ms(300), 7, null)).isAllowed()).isTrue();
  }

  @EachBackend
  @DisplayName("C201 C202 C203 J09 buckets do not affect each other")
  void consume_buckets(Fixture f) {
    assertThat(consume(f, 1, 3, scope(f, "s", "k", 5))).isEqualTo(allowed(2, 5));
    assertThat(consume(f, 2, 5, scope(f, "s", "k", 5))).isEqualTo(allowed(0, 5));
    assertThat(consume(f, 1, 2, scope(f, "s", "k", 5))).isEqualTo(allowed(0, 5));
    assertThat(consume(f, 2, 1, scope(f, "s", "k", 5))).isEqualTo(rejected("s", 5));
    assertThat(consume(f, 3, 1, scope(f, "s", "k", 5))).isEqualTo(allowed(4, 5));
    RateLimits rates = f.state().rates();
    assertThat(get(rates.count(f.slotKey("k"), 4))).isZero();
    assertThat(get(rates.count(f.slotKey("k"), 1))).isEqualTo(5);
    assertThat(get(rates.count(f.slotKey("k"), (1L << 53) - 1))).isZero();
  }

  @EachBackend
  @DisplayName("C204 counters are global, whatever a scope is called")
  void consume_sharedKey(Fixture f) {
    assertThat(userAndKey(f, "u1", 5, "k", 1).isAllowed()).isTrue();
    assertThat(userAndKey(f, "u2", 5, "k", 1)).isEqualTo(rejected("key", 1));
    assertThat(consume(f, 1, 1, scope(f, "other", "k", 1))).isEqualTo(rejected("other", 1));
  }

  @EachBackend
  @DisplayName("C205 C210 a key in two scopes is charged twice and needs room for both")
  void consume_keyTwice(Fixture f) {
    assertThat(userAndKey(f, "k", 2, "k", 2)).isEqualTo(allowed(0, 2));
    assertThat(count(f, "k")).isEqualTo(2);
    assertThat(userAndKey(f, "k", 2, "k", 2)).isEqualTo(rejected("user", 2));
    assertThat(userAndKey(f, "n", 1, "n", 1)).isEqualTo(rejected("key", 1));
    assertThat(count(f, "n")).isZero();
    assertThat(userAndKey(f, "m", 3, "m", 5)).isEqualTo(allowed(1, 3));
    assertThat(userAndKey(f, "m", 3, "m", 5)).isEqualTo(allowed(0, 3));
    assertThat(count(f, "m")).isEqualTo(4);
  }

  @EachBackend
  @DisplayName("C206 J15 the largest limit works, larger ones and bad costs are refused")
  void consume_limits(Fixture f) {
    assertThat(consume(f, 1, 1, scope(f, "s", "k", MAX_LIMIT)))
        .isEqualTo(allowed(MAX_LIMIT - 1, MAX_LIMIT));
    assertThat(consume(f, 1, MAX_LIMIT, scope(f, "s", "k", MAX_LIMIT)))
        .isEqualTo(rejected("s", MAX_LIMIT));
    assertThat(consume(f, 1, MAX_LIMIT - 1, scope(f, "s", "k", MAX_LIMIT)))
        .isEqualTo(allowed(0, MAX_LIMIT));
    RateLimits rates = f.state().rates();
    assertInvalid(rates.consume(List.of(scope(f, "s", "k", -1)), 1, TTL)).contains("limit");
    assertInvalid(rates.consume(List.of(scope(f, "s", "k", MAX_LIMIT + 1)), 1, TTL))
        .contains("rate.consume: scopes[0].limit");
    for (long cost : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 6}) {
      assertInvalid(rates.consume(List.of(scope(f, "s", "k", 5)), 1, TTL, cost, null))
          .contains("cost");
      assertInvalid(rates.refund(List.of(scope(f, "s", "k", 5)), 1, cost)).contains("cost");
    }
    assertThat(count(f, "k")).isEqualTo(MAX_LIMIT);
  }

  @EachBackend
  @DisplayName("C207 C208 costs are charged whole or not at all")
  void consume_cost(Fixture f) {
    RateScope[] scopes = {
      scope(f, "org", "o", 10), scope(f, "user", "u", 5), scope(f, "key", "k", 3)
    };
    assertThat(consume(f, 1, 2, scopes)).isEqualTo(allowed(1, 3));
    assertThat(consume(f, 1, 2, scopes)).isEqualTo(rejected("key", 3));
    assertThat(List.of(count(f, "o"), count(f, "u"), count(f, "k"))).containsExactly(2L, 2L, 2L);
    RateScope[] two = {scope(f, "a", "a", 5), scope(f, "b", "b", 5)};
    assertThat(consume(f, 1, 3, two[0])).isEqualTo(allowed(2, 5));
    assertThat(consume(f, 1, 3, two)).isEqualTo(rejected("a", 5));
    assertThat(List.of(count(f, "a"), count(f, "b"))).containsExactly(3L, 0L);
    assertThat(consume(f, 1, 2, two)).isEqualTo(allowed(0, 5));
  }

  @EachBackend
  @DisplayName("7.1 the limit in the answer is that of the first tightest scope")
  void consume_firstTightest(Fixture f) {
    assertThat(consume(f, 1, 1, scope(f, "a", "a", 3), scope(f, "b", "b", 3)))
        .isEqualTo(allowed(2, 3));
    assertThat(consume(f, 1, 1, scope(f, "c", "c", 9), scope(f, "b", "b", 4)))
        .isEqualTo(allowed(2, 4));
    assertThat(consume(f, 1, 2, scope(f, "b", "b", 4), scope(f, "a", "a", 3)))
        .isEqualTo(allowed(0, 4));
  }

  @EachBackend
  @DisplayName("C211 C212 with a window the answers say when the bucket ends")
  void consume_window(Fixture f) {
    FixedWindow window = new FixedWindow(seconds(60));
    RateLimits rates = f.state().rates();
    List<RateScope> scopes = List.of(scope(f, "a", "a", 9), scope(f, "b", "b", 1));
    Allowed allowed = (Allowed) get(rates.consume(window, scopes));
    assertThat(allowed.remaining()).isZero();
    assertThat(allowed.limit()).isEqualTo(1);
    assertEndsWith(f, window, allowed.resetAfter());
    Rejected rejected = (Rejected) get(rates.consume(window, scopes));
    assertThat(rejected.scope()).isEqualTo("b");
    assertEndsWith(f, window, rejected.retryAfter());
    List<RateScope> none = List.of(scope(f, "a", "a", 0));
    assertEndsWith(f, window, ((Allowed) get(rates.consume(window, none))).resetAfter());
    RateScope one = scope(f, "s", "past", 1);
    assertThat(consume(f, 1, 1, one)).isEqualTo(allowed(0, 1));
    assertThat(get(rates.consume(List.of(one), 1, TTL, 1, seconds(60))))
        .isEqualTo(new Rejected("s", 1, Optional.of(ms(1))));
  }

  private static void assertEndsWith(Fixture f, FixedWindow window, Optional<Duration> end) {
    long expected = window.retryAfterAt(f.state().clock()).toMillis();
    assertThat(end.orElseThrow()).isBetween(ms(1), seconds(60));
    assertThat(end.orElseThrow().toMillis()).isCloseTo(expected, within(1_000));
  }

  private static org.assertj.core.data.Offset<Long> within(long millis) {
    return org.assertj.core.data.Offset.offset(millis);
  }

  @EachBackend
  @DisplayName("C214 K03 J05 every full bucket of a fixed window admits exactly its limit")
  void fixedWindow_exact(Fixture f) {
    FixedWindow window = new FixedWindow(ms(200));
    List<RateScope> scopes = List.of(scope(f, "s", "k", 3));
    Map<Long, Integer> calls = new HashMap<>();
    Map<Long, Integer> admitted = new HashMap<>();
    long end = f.state().clock() + 2_000;
    while (f.state().clock() < end) {
      long before = window.bucketAt(f.state().clock());
      Future<RateDecision> decision = f.state().rates().consume(window, scopes);
      long after = window.bucketAt(f.state().clock());
      int one = get(decision).isAllowed() ? 1 : 0;
      // Around a boundary either bucket may have been charged; such a bucket proves nothing.
      calls.merge(before, before == after ? 1 : -1_000, Integer::sum);
      calls.merge(after, before == after ? 0 : -1_000, Integer::sum);
      admitted.merge(before, before == after ? one : 0, Integer::sum);
      f.pass(ms(10));
    }
    assertThat(admitted.values()).allMatch(count -> count <= 3);
    admitted.forEach(
        (bucket, count) -> {
          if (calls.get(bucket) >= 3) {
            assertThat(count).isEqualTo(3);
          }
        });
  }

  @EachBackend
  @DisplayName("C215 C216 J19 a refund never adds capacity that was not charged")
  void refund_floor(Fixture f) {
    List<RateScope> scopes = List.of(scope(f, "s", "k", 10));
    RateLimits rates = f.state().rates();
    consume(f, 1, 2, scopes.get(0));
    consume(f, 1, 2, scopes.get(0));
    get(rates.refund(scopes, 1, 2));
    assertThat(count(f, "k")).isEqualTo(2);
    for (int i = 0; i < 3; i++) {
      get(rates.refund(scopes, 1, 2));
      assertThat(count(f, "k")).isZero();
    }
    List<RateScope> fresh = List.of(scope(f, "s", "n", 1));
    get(rates.refund(fresh, 1));
    assertThat(count(f, "n")).isZero();
    assertThat(consume(f, 1, 1, fresh.get(0)).isAllowed()).isTrue();
    assertThat(consume(f, 1, 1, fresh.get(0)).isAllowed()).isFalse();
  }

  @EachBackend
  @DisplayName("7.1 a refund lowers a key once for each of its scopes")
  void refund_keyTwice(Fixture f) {
    List<RateScope> scopes = List.of(scope(f, "a", "k", 9), scope(f, "b", "k", 9));
    get(f.state().rates().consume(scopes, 1, TTL, 4, null));
    get(f.state().rates().refund(scopes, 1, 3));
    assertThat(count(f, "k")).isEqualTo(2);
    get(f.state().rates().refund(scopes, 1, 3));
    assertThat(count(f, "k")).isZero();
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C217 C218 neither charges, refunds nor refusals move the expiry")
  void expiry_fixed(Fixture f) {
    List<RateScope> scopes = List.of(scope(f, "s", "k", 2));
    RateLimits rates = f.state().rates();
    get(rates.consume(scopes, 1, ms(400)));
    f.pass(ms(200));
    get(rates.consume(scopes, 1, seconds(60)));
    assertThat(get(rates.consume(scopes, 1, seconds(60))).isAllowed()).isFalse();
    get(rates.refund(scopes, 1));
    f.pass(ms(250));
    assertThat(count(f, "k")).isZero();
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C217 C218 neither charges, refunds nor refusals move the expiry, by the clock")
  void expiry_fixedByClock(Fixture f) {
    FakeClock clock = new FakeClock();
    RateLimits rates = f.open(f.options(), clock).rates();
    List<RateScope> scopes = List.of(scope(f, "s", "k", 2));
    get(rates.consume(scopes, 1, ms(300)));
    clock.advance(ms(200));
    get(rates.consume(scopes, 1, seconds(60)));
    assertThat(get(rates.consume(scopes, 1, seconds(60))).isAllowed()).isFalse();
    get(rates.refund(scopes, 1));
    clock.advance(ms(99));
    assertThat(get(rates.count(f.slotKey("k"), 1))).isEqualTo(1);
    clock.advance(ms(1));
    assertThat(get(rates.count(f.slotKey("k"), 1))).isZero();
  }

  @EachBackend
  @DisplayName("7.1 a lowered limit applies at once and remaining is never negative")
  void consume_lowered(Fixture f) {
    consume(f, 1, 5, scope(f, "s", "k", 9));
    assertThat(consume(f, 1, 1, scope(f, "s", "k", 5))).isEqualTo(rejected("s", 5));
    assertThat(consume(f, 1, 1, scope(f, "s", "k", 6))).isEqualTo(allowed(0, 6));
  }

  @EachBackend
  @DisplayName("J05 limits and windows of any legal size admit exactly the limit")
  void consume_oddSizes(Fixture f) {
    for (long limit : new long[] {1, 2, 1_000_000_000}) {
      for (Duration ttl : List.of(seconds(1), Duration.ofDays(365), Duration.ofDays(36_525))) {
        RateScope scope = scope(f, "s", "k" + limit + ttl, limit);
        List<RateScope> scopes = List.of(scope);
        RateLimits rates = f.state().rates();
        assertThat(get(rates.consume(scopes, 0, ttl, limit, null))).isEqualTo(allowed(0, limit));
        assertThat(get(rates.consume(scopes, 0, ttl))).isEqualTo(rejected("s", limit));
      }
    }
  }

  @EachBackend
  @DisplayName("7.1 concurrent charges share the limit exactly")
  void consume_concurrent(Fixture f) {
    List<RateScope> scopes = List.of(scope(f, "a", "a", 20), scope(f, "b", "b", 9));
    List<Future<RateDecision>> decisions =
        IntStream.range(0, 64)
            .mapToObj(i -> i % 2 == 0 ? f.state() : f.second())
            .map(state -> state.rates().consume(scopes, 1, TTL))
            .toList();
    assertThat(decisions.stream().filter(decision -> get(decision).isAllowed())).hasSize(9);
    assertThat(count(f, "a")).isEqualTo(9);
  }

  @EachBackend
  @DisplayName("2.4 where slots are enforced, limited scopes share one")
  void enforceSlots(Fixture f) {
    RuntimeState state = f.open(f.options().setEnforceSlots(true));
    List<RateScope> apart = List.of(new RateScope("a", "a", 5), new RateScope("b", "b", 5));
    assertFails(state.rates().consume(apart, 1, TTL), FailureCode.CROSS_SLOT)
        .startsWith("rate.consume: put a common {tag}");
    assertFails(state.rates().refund(apart, 1), FailureCode.CROSS_SLOT);
    assertThat(get(state.rates().count("a", 1))).isZero();
    List<RateScope> tagged = List.of(new RateScope("a", "{t}a", 5), new RateScope("b", "b{t}", 5));
    assertThat(get(state.rates().consume(tagged, 1, TTL)).isAllowed()).isTrue();
    get(state.rates().refund(tagged, 1));
    List<RateScope> oneLimited = List.of(new RateScope("a", "a", 5), new RateScope("b", "b", 0));
    assertThat(get(state.rates().consume(oneLimited, 1, TTL)).isAllowed()).isTrue();
  }

  @EachBackend
  @DisplayName("C229 control state is out of reach for data operations")
  void counters_hidden(Fixture f) {
    consume(f, 1, 1, scope(f, "s", "k", 5));
    assertThat(get(f.state().keys().list(f.slotKey("*")))).isEmpty();
    assertThat(get(f.state().keys().delete(f.slotKey("k")))).isFalse();
    get(f.state().kv().set(f.slotKey("k"), "v"));
    assertThat(count(f, "k")).isEqualTo(1);
  }

  private static RateDecision userAndKey(
      Fixture f, String user, long userLimit, String key, long keyLimit) {
    RateOperation.Consume consume =
        RateConsume.userAndKey(f.slotKey(user), userLimit, f.slotKey(key), keyLimit, 1, TTL);
    return get(f.state().execute(consume));
  }

  private static RateDecision consume(Fixture f, long bucket, long cost, RateScope... scopes) {
    return get(f.state().rates().consume(List.of(scopes), bucket, TTL, cost, null));
  }

  private static long count(Fixture f, String key) {
    return get(f.state().rates().count(f.slotKey(key), 1));
  }

  private static RateScope scope(Fixture f, String name, String key, long limit) {
    return new RateScope(name, f.slotKey(key), limit);
  }

  private static RateDecision allowed(long remaining, long limit) {
    return new Allowed(remaining, limit, Optional.empty());
  }

  private static RateDecision rejected(String scope, long limit) {
    return new Rejected(scope, limit, Optional.empty());
  }
}
