package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.memory.table.TokenState.Rate;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenStateTest {
  private static final Rate THREE_PER_100_MS = new Rate(10, 3, 100);

  @ParameterizedTest
  @DisplayName("C223 largest grant of a bucket that was emptied at 0")
  @CsvSource({"33, 0", "34, 1", "67, 2", "100, 3", "333, 9", "334, 10", "9000, 10"})
  void refilled_whole(long at, long tokens) {
    TokenState empty = new TokenState(0, 0, 0);
    assertThat(empty.refilled(THREE_PER_100_MS, at).tokens()).isEqualTo(tokens);
  }

  @Test
  @DisplayName("C224 two tokens of an empty bucket take 67 ms")
  void millisUntil_roundsUp() {
    TokenState empty = new TokenState(0, 0, 0);
    assertThat(empty.millisUntil(2, THREE_PER_100_MS)).isEqualTo(67);
    assertThat(empty.refilled(THREE_PER_100_MS, 66).tokens()).isEqualTo(1);
    assertThat(empty.refilled(THREE_PER_100_MS, 67).tokens()).isEqualTo(2);
  }

  @Test
  @DisplayName("C230 J13 a step back refills nothing and keeps the stamp")
  void refilled_earlier() {
    TokenState state = new TokenState(4, 50, 1_000);
    assertThat(state.refilled(THREE_PER_100_MS, 950)).isEqualTo(state);
  }

  @Test
  @DisplayName("C226 other parameters cut tokens and remainder to what they allow")
  void refilled_otherRate() {
    TokenState state = new TokenState(8, 90, 0);
    assertThat(state.refilled(new Rate(5, 1, 10), 0)).isEqualTo(new TokenState(5, 0, 0));
    assertThat(state.refilled(new Rate(10, 1, 10), 0)).isEqualTo(new TokenState(8, 9, 0));
  }

  @Test
  @DisplayName("J17 nothing overflows at the extremes of every parameter")
  void refilled_extremes() {
    long[] capacities = {1, 2, 1_000_000_000};
    long[] refills = {1, 7, 1_000_000_000};
    long[] times = {1, 3_600_000, 43_200_000, 9_223_372_036_854L, Long.MAX_VALUE};
    for (long capacity : capacities) {
      for (long refill : refills) {
        Rate rate = new Rate(capacity, refill, (1L << 52) / capacity);
        for (long time : times) {
          TokenState state = new TokenState(0, rate.period() - 1, 0).refilled(rate, time);
          assertThat(state.tokens()).isBetween(0L, capacity);
          assertThat(state.remainder()).isBetween(0L, rate.period() - 1);
          assertThat(state.millisUntil(capacity, rate)).isNotNegative();
        }
      }
    }
  }

  @ParameterizedTest
  @DisplayName("C470 decisions equal those of exact arithmetic")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void randomHistory_likeExact(long seed) {
    Random random = new Random(seed);
    Rate rate = rate(random);
    TokenState state = TokenState.full(rate, 0);
    Exact exact = new Exact(rate);
    long now = 0;
    for (int step = 0; step < 5_000; step++) {
      now += random.nextInt(5) == 0 ? 0 : (long) (rate.period() * random.nextDouble());
      long wanted = 1 + (long) (random.nextDouble() * random.nextDouble() * rate.capacity());
      state = state.refilled(rate, now);
      exact.refill(now);
      long wait = state.millisUntil(wanted, rate);
      assertThat(wait).isEqualTo(exact.millisUntil(wanted));
      if (wait == 0) {
        state = state.minus(wanted);
        exact.take(wanted);
      }
    }
  }

  private static Rate rate(Random random) {
    long capacity = 1 + random.nextInt(random.nextBoolean() ? 20 : 1_000_000_000);
    long refill = 1 + random.nextInt(random.nextBoolean() ? 20 : 1_000_000_000);
    long period = 1 + (long) (random.nextDouble() * ((1L << 52) / capacity - 1));
    return new Rate(capacity, refill, Math.min(period, random.nextBoolean() ? 1_000 : period));
  }

  /** Tokens times period, without any bound on their size. */
  private static final class Exact {
    private final BigInteger full;
    private final Rate rate;
    private BigInteger units;
    private long stamp;

    Exact(Rate rate) {
      this.rate = rate;
      this.full = units(rate.capacity());
      this.units = full;
    }

    private BigInteger units(long tokens) {
      return BigInteger.valueOf(tokens).multiply(BigInteger.valueOf(rate.period()));
    }

    void refill(long now) {
      BigInteger arrived =
          BigInteger.valueOf(now - stamp).multiply(BigInteger.valueOf(rate.refill()));
      units = units.add(arrived).min(full);
      stamp = now;
    }

    long millisUntil(long tokens) {
      if (units.compareTo(units(tokens)) >= 0) {
        return 0;
      }
      BigInteger[] millis =
          units(tokens).subtract(units).divideAndRemainder(BigInteger.valueOf(rate.refill()));
      return millis[0].longValueExact() + millis[1].signum();
    }

    void take(long tokens) {
      units = units.subtract(units(tokens));
    }
  }
}
