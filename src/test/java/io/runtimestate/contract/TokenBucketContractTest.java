package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RateLimits;
import io.runtimestate.RuntimeState;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.TokenDecision;
import io.runtimestate.data.TokenDecision.Allowed;
import io.runtimestate.data.TokenDecision.Rejected;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.FakeClock;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.RedisServer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

class TokenBucketContractTest {

  @EachBackend
  @DisplayName("C221 a full bucket gives its capacity, then says how long to wait")
  void take_all(Fixture f) {
    RateLimits rates = f.state().rates();
    String key = f.key("b");
    for (int left = 4; left >= 0; left--) {
      assertThat(get(rates.tokenBucket(key, 5, 1, seconds(100)))).isEqualTo(new Allowed(left));
    }
    Rejected rejected = (Rejected) get(rates.tokenBucket(key, 5, 1, seconds(100)));
    assertThat(rejected.retryAfter()).isBetween(seconds(90), seconds(100));
    assertThat(rejected.isAllowed()).isFalse();
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C222 waiting exactly retryAfter is enough, a millisecond less is not")
  void retryAfter_exact(Fixture f) {
    FakeClock clock = new FakeClock();
    RateLimits rates = f.open(f.options(), clock).rates();
    get(rates.tokenBucket("b", 7, 3, ms(1_000), 7));
    Rejected rejected = (Rejected) get(rates.tokenBucket("b", 7, 3, ms(1_000)));
    assertThat(rejected.retryAfter()).isEqualTo(ms(334));
    clock.advance(ms(333));
    assertThat(get(rates.tokenBucket("b", 7, 3, ms(1_000)))).isEqualTo(new Rejected(ms(1)));
    clock.advance(ms(1));
    assertThat(get(rates.tokenBucket("b", 7, 3, ms(1_000)))).isEqualTo(new Allowed(0));
  }

  @EachBackend
  @DisplayName("C222 after waiting retryAfter the token is there")
  void retryAfter_waited(Fixture f) {
    RateLimits rates = f.state().rates();
    get(rates.tokenBucket(f.key("b"), 3, 1, ms(150), 3));
    Rejected rejected = (Rejected) get(rates.tokenBucket(f.key("b"), 3, 1, ms(150)));
    assertThat(rejected.retryAfter()).isBetween(ms(1), ms(150));
    f.pass(rejected.retryAfter());
    assertThat(get(rates.tokenBucket(f.key("b"), 3, 1, ms(150)))).isEqualTo(new Allowed(0));
  }

  @EachBackend
  @DisplayName("a bucket that is full again after more nanoseconds than a long holds stays empty")
  void refill_beyondTheClock(Fixture f) {
    RateLimits rates = f.state().rates();
    Duration period = ms(1_844_674_407_371L); // times capacity: just above 2^64 ns
    assertThat(get(rates.tokenBucket(f.key("b"), 10, 1, period, 10))).isEqualTo(new Allowed(0));
    f.pass(ms(5));
    assertThat(get(rates.tokenBucket(f.key("b"), 10, 1, period, 10)).isAllowed()).isFalse();
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C223 uneven steps lose nothing: the total is what has arrived")
  void refill_noDrift(Fixture f) {
    FakeClock clock = new FakeClock();
    RateLimits rates = f.open(f.options(), clock).rates();
    get(rates.tokenBucket("b", 10, 3, ms(100), 10));
    Random random = new Random(5);
    long elapsed = 0;
    long granted = 0;
    for (int step = 0; step < 1_000; step++) {
      int wait = random.nextInt(90);
      elapsed += wait;
      clock.advance(ms(wait));
      while (get(rates.tokenBucket("b", 10, 3, ms(100))).isAllowed()) {
        granted++;
      }
      assertThat(granted).isEqualTo(elapsed * 3 / 100);
    }
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C224 a refusal stores nothing")
  void take_refused(Fixture f) {
    FakeClock clock = new FakeClock();
    RateLimits rates = f.open(f.options(), clock).rates();
    get(rates.tokenBucket("b", 10, 3, ms(100), 10));
    assertThat(get(rates.tokenBucket("b", 10, 3, ms(100), 2))).isEqualTo(new Rejected(ms(67)));
    clock.advance(ms(50));
    // Asked with a slower rate in between, which would have cost the bucket what arrived.
    assertThat(get(rates.tokenBucket("b", 10, 1, ms(1_000), 9)).isAllowed()).isFalse();
    assertThat(get(rates.tokenBucket("b", 10, 3, ms(100), 2))).isEqualTo(new Rejected(ms(17)));
  }

  @EachBackend
  @DisplayName("C225 a bucket left alone is full, and its key is gone")
  void refill_full(Fixture f) {
    RateLimits rates = f.state().rates();
    get(rates.tokenBucket(f.key("b"), 4, 4, ms(100), 4));
    f.pass(ms(140));
    if (!f.isMemory()) {
      try (var side = RedisServer.shared().side()) {
        assertThat(side.command("EXISTS", f.prefix() + ":rl:tb:" + f.key("b"))).isEqualTo(0L);
      }
    }
    assertThat(get(rates.tokenBucket(f.key("b"), 4, 4, ms(100), 4))).isEqualTo(new Allowed(0));
  }

  @EachBackend
  @DisplayName("C226 a lowered capacity applies at once")
  void capacity_lowered(Fixture f) {
    RateLimits rates = f.state().rates();
    get(rates.tokenBucket(f.key("b"), 10, 1, Duration.ofHours(1), 2));
    assertThat(get(rates.tokenBucket(f.key("b"), 5, 1, Duration.ofHours(1), 5)))
        .isEqualTo(new Allowed(0));
    assertThat(get(rates.tokenBucket(f.key("b"), 10, 1, Duration.ofHours(1))).isAllowed())
        .isFalse();
  }

  @EachBackend
  @DisplayName("C227 bad parameters are refused")
  void parameters_invalid(Fixture f) {
    RateLimits rates = f.state().rates();
    String key = f.key("b");
    assertInvalid(rates.tokenBucket(key, 0, 1, ms(1))).contains("rate.tokenBucket: capacity");
    assertInvalid(rates.tokenBucket(key, 1_000_000_001, 1, ms(1))).contains("capacity");
    assertInvalid(rates.tokenBucket(key, 1, 0, ms(1))).contains("refillTokens");
    assertInvalid(rates.tokenBucket(key, 1, 1, Duration.ZERO)).contains("refillPeriod");
    assertInvalid(rates.tokenBucket(key, 5, 1, ms(1), 0)).contains("tokens");
    assertInvalid(rates.tokenBucket(key, 5, 1, ms(1), 6)).contains("tokens");
    assertInvalid(rates.tokenBucket(key, 5, 1, ms(1L << 51))).contains("refillPeriod");
    assertInvalid(rates.tokenBucket("", 5, 1, ms(1))).contains("key");
  }

  @EachBackend
  @DisplayName("7.2 the largest parameters are exact")
  void parameters_largest(Fixture f) {
    RateLimits rates = f.state().rates();
    Duration period = ms((1L << 52) / 1_000_000_000);
    assertThat(get(rates.tokenBucket(f.key("b"), 1_000_000_000, 1, period, 1_000_000_000)))
        .isEqualTo(new Allowed(0));
    Rejected rejected =
        (Rejected) get(rates.tokenBucket(f.key("b"), 1_000_000_000, 1, period, 1_000_000_000));
    assertThat(rejected.retryAfter().toMillis())
        .isBetween(1_000_000_000 * period.toMillis() - 60_000, 1_000_000_000 * period.toMillis());
  }

  @EachBackend
  @DisplayName("C228 64 concurrent takers share 8 tokens")
  void take_concurrent(Fixture f) {
    List<Future<TokenDecision>> takes =
        IntStream.range(0, 64)
            .mapToObj(i -> i % 2 == 0 ? f.state() : f.second())
            .map(state -> state.rates().tokenBucket(f.key("b"), 8, 1, Duration.ofHours(1)))
            .toList();
    assertThat(takes.stream().filter(take -> get(take).isAllowed())).hasSize(8);
  }

  @EachBackend
  @DisplayName("C229 a counter and a bucket of one key do not affect each other")
  void bucket_besideCounter(Fixture f) {
    RateLimits rates = f.state().rates();
    List<RateScope> scopes = List.of(new RateScope("s", f.key("b"), 2));
    get(rates.tokenBucket(f.key("b"), 2, 1, Duration.ofHours(1), 2));
    assertThat(get(rates.consume(scopes, 0, seconds(9), 2, null)).isAllowed()).isTrue();
    assertThat(get(rates.count(f.key("b"), 0))).isEqualTo(2);
    get(rates.refund(scopes, 0, 2));
    assertThat(get(rates.tokenBucket(f.key("b"), 2, 1, Duration.ofHours(1))).isAllowed()).isFalse();
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C230 J13 J17 a clock that steps back or far ahead does no harm")
  void clock_steps(Fixture f) {
    FakeClock clock = new FakeClock(Long.MAX_VALUE - 5, 1_700_000_000_000L);
    RuntimeState state = f.open(f.options(), clock);
    Random random = new Random(9);
    for (int i = 0; i < 200; i++) {
      clock.advance(ms(random.nextInt(60) - 30));
      TokenDecision decision = get(state.rates().tokenBucket("b", 5, 1, ms(50)));
      if (decision instanceof Allowed allowed) {
        assertThat(allowed.remaining()).isBetween(0L, 4L);
      }
    }
    clock.advance(Duration.ofDays(365 * 200));
    assertThat(get(state.rates().tokenBucket("b", 5, 1, ms(50), 5))).isEqualTo(new Allowed(0));
  }
}
