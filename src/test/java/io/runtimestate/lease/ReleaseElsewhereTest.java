package io.runtimestate.lease;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RedisOptions;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.support.AlsoOnRedis;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.Footprint;
import io.runtimestate.support.RedisCluster;
import io.runtimestate.support.RedisSentinels;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who waits is woken by a release in another runtime. */
@AlsoOnRedis({"resp2", "limited"})
class ReleaseElsewhereTest {

  @EachBackend(DoorKind.REDIS)
  @DisplayName("10.4 a release elsewhere wakes who waits, and so does one that came too early")
  void lock_woken(Fixture f) {
    Footprint before = f.footprint();
    try (TwoRuntimes two = new TwoRuntimes(f.vertx(), f.options())) {
      assertLockWoken(two, "l");
      assertThat(two.attempts()).isBetween(2L, 3L); // one may be due to the subscription
      assertFoundOnSubscribing(two);
    }
    f.awaitReturn(before);
  }

  private static void assertLockWoken(TwoRuntimes two, String key) {
    // Whoever waits looks once more when the subscription begins: only then is it asleep.
    long refusals = two.refusals() + (two.noticesCome() ? 1 : 2);
    var held = two.takeLock(key);
    var wait = two.waitForLock(key);
    two.awaitRefusals(refusals);
    two.awaitNotices(true);
    long heard = two.heard();
    two.release(held);
    assertThat(get(wait).orElseThrow().owner()).isEqualTo("w");
    assertThat(two.heard()).isEqualTo(heard + 1);
  }

  /** Nothing is told of what was released before the channel was subscribed to. */
  private static void assertFoundOnSubscribing(TwoRuntimes two) {
    two.awaitNotices(false);
    long before = two.refusals();
    var held = two.takeLock("m");
    var wait = two.waitForLock("m");
    two.awaitRefusals(before + 1);
    two.release(held);
    assertThat(get(wait)).isPresent();
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("11.2 a permit released elsewhere wakes who waits")
  void semaphore_woken(Fixture f) {
    try (TwoRuntimes two = new TwoRuntimes(f.vertx(), f.options())) {
      assertPermitWoken(two, null);
      assertPermitWoken(two, "r~}%");
    }
  }

  private static void assertPermitWoken(TwoRuntimes two, String resource) {
    long before = two.refusals();
    var release = two.takePermit("g", resource);
    var wait = two.waitForPermit("g", resource);
    two.awaitRefusals(before + 1);
    two.awaitNotices(true);
    assertThat(wait.isComplete()).isFalse();
    assertThat(get(two.holder.execute(release))).isTrue();
    assertThat(get(wait)).isPresent();
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("10.4 a runtime is not told of its own releases")
  void own_notTold(Fixture f) {
    try (TwoRuntimes two = new TwoRuntimes(f.vertx(), f.options())) {
      var held = two.takeLock("l");
      List<Future<Boolean>> turns = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        turns.add(two.waitForLock("l").compose(lease -> two.releaseHere(lease.orElseThrow())));
      }
      two.awaitAttempts(2);
      two.release(held);
      turns.forEach(turn -> assertThat(get(turn)).isTrue());
      assertThat(two.heard()).isEqualTo(1);
      assertThat(two.attempts()).isEqualTo(22);
    }
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("10.4 the subscription lasts as long as somebody waits, and a moment more")
  void subscription_onlyWhileWaiting(Fixture f) {
    try (TwoRuntimes two = new TwoRuntimes(f.vertx(), f.options())) {
      var held = two.takeLock("l");
      List<Future<?>> waits = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        waits.add(two.waitForLock("l"));
        waits.add(two.waitForPermit("free" + i, null));
      }
      two.awaitNotices(true);
      assertThat(subscriptions()).isEqualTo(1);
      get(two.leases.close());
      waits.forEach(wait -> Await.until(wait::isComplete, "it ends"));
      Await.until(() -> subscriptions() == 0, Duration.ofSeconds(5), "the subscription ends");
      two.release(held);
    }
  }

  private static long subscriptions() {
    try (RedisSide side = RedisServer.shared().side()) {
      return side.clientList().stream()
          .filter(client -> client.get("name").equals("runtime-state-notices"))
          .count();
    }
  }

  @Test
  @DisplayName("10.4 in a cluster the release on one node wakes who listens on any other")
  void cluster() {
    elsewhere(
        RedisCluster.shared().options(),
        two -> {
          for (int i = 0; i < 12; i++) { // on all nodes
            assertLockWoken(two, "l" + i);
          }
          assertPermitWoken(two, "r");
          return two;
        });
  }

  @Test
  @DisplayName("10.4 with sentinels as well")
  void sentinels() {
    elsewhere(
        RedisSentinels.shared().options(),
        two -> {
          assertLockWoken(two, "l");
          assertPermitWoken(two, "r");
          return two;
        });
  }

  private static void elsewhere(RedisOptions redis, UnaryOperator<TwoRuntimes> test) {
    Vertx vertx = Vertx.vertx();
    RuntimeStateOptions options =
        new RuntimeStateOptions().setBackend(BackendMode.REDIS).setKeyPrefix("elsewhere");
    options.setRedis(redis);
    try (TwoRuntimes two = new TwoRuntimes(vertx, options)) {
      test.apply(two);
    } finally {
      get(vertx.close());
    }
  }
}
