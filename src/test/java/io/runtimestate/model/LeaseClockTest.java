package io.runtimestate.model;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.LockLease;
import io.runtimestate.data.PermitDecision;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.FakeClock;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;

/** Leases while clocks jump. */
class LeaseClockTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final int STEPS = 3_000;
  private static final int LIMIT = 3;
  private static final int HOUR_MILLIS = 3_600_000;

  /** A memory store under a clock whose wall jumps by hours either way, while time goes on. */
  private static final class Jumping {
    final SplittableRandom random = new SplittableRandom(5);
    final FakeClock clock = new FakeClock();
    final RuntimeState state;
    private long now; // milliseconds since the beginning, as time passes

    Jumping(Fixture f) {
      state = f.open(new RuntimeStateOptions(), clock);
    }

    long now() {
      return now;
    }

    void jump() {
      clock.stepUnix(Duration.ofMillis(random.nextInt(2 * HOUR_MILLIS) - HOUR_MILLIS));
      int passed = random.nextInt(4_000);
      clock.advance(Duration.ofMillis(passed));
      now += passed;
    }
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("10.2 C466 while the clock jumps a lock has one holder, whose token is the largest")
  void lock(Fixture f) {
    Jumping jumping = new Jumping(f);
    long ends = 0;
    long newest = 0;
    LockLease held = null;
    for (int i = 0; i < STEPS; i++) {
      jumping.jump();
      Optional<LockLease> lease = get(jumping.state.locks().tryAcquire("l", "o", LEASE));
      assertThat(lease.isPresent()).isEqualTo(jumping.now() >= ends);
      if (lease.isPresent()) {
        held = lease.get();
        assertThat(held.fencingToken()).isGreaterThan(newest);
        newest = held.fencingToken();
        ends = jumping.now() + LEASE.toMillis();
      } else if (jumping.random.nextInt(4) == 0) {
        assertThat(get(jumping.state.locks().release(held))).isTrue();
        ends = 0;
      }
    }
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("11.1 C467 while the clock jumps no permit is granted too many, and none too few")
  void permits(Fixture f) {
    Jumping jumping = new Jumping(f);
    List<Long> ends = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      jumping.jump();
      ends.removeIf(end -> jumping.now() >= end);
      PermitDecision decision = get(jumping.state.semaphores().tryAcquire("g", null, LIMIT, LEASE));
      assertThat(decision.isGranted()).isEqualTo(ends.size() < LIMIT);
      if (decision.isGranted()) {
        ends.add(jumping.now() + LEASE.toMillis());
      }
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("10.2 tokens grow although the server's clock was an hour ahead before")
  void serverStepsBack(Fixture f) {
    long ahead = (System.currentTimeMillis() + HOUR_MILLIS) * 1_000;
    try (RedisSide side = RedisServer.shared().side()) {
      String history = f.prefix() + ":fn:{" + f.key("l") + "}";
      side.command("SET", history, Long.toString(ahead), "PX", "600000");
    }
    long last = ahead;
    for (int i = 0; i < 3; i++) {
      LockLease lease = get(f.state().locks().tryAcquire(f.key("l"), "o", LEASE)).orElseThrow();
      assertThat(lease.fencingToken()).isGreaterThan(last);
      last = lease.fencingToken();
      get(f.state().locks().release(lease));
    }
  }
}
