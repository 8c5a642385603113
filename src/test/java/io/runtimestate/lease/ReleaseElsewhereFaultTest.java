package io.runtimestate.lease;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.LockLease;
import io.runtimestate.spi.Figures;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Notices of releases elsewhere, when the way they come fails: it only costs time. */
class ReleaseElsewhereFaultTest {
  private static final Duration MOMENT = Duration.ofSeconds(10);

  private final Vertx vertx = Vertx.vertx();
  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
  private RedisServer server;
  private FaultProxy proxy;
  private TwoRuntimes two;

  @BeforeEach
  void start() {
    vertx.exceptionHandler(uncaught::add);
    server = RedisServer.start();
    proxy = FaultProxy.start(vertx, server.port());
  }

  @AfterEach
  void close() {
    proxy.unmute();
    if (two != null) {
      two.close();
    }
    proxy.close();
    server.close();
    get(vertx.close());
    assertThat(uncaught).isEmpty();
  }

  private static RuntimeStateOptions options(String uri) {
    RuntimeStateOptions options = new RuntimeStateOptions().setBackend(BackendMode.REDIS);
    options.getRedis().setUrl(uri).setOpenTimeout(MOMENT);
    return options;
  }

  private void open() {
    two = new TwoRuntimes(vertx, options(server.uri()), options(proxy.uri()), never());
  }

  private static Pauses never() {
    return new Pauses(3_600_000, 3_600_000);
  }

  private Future<Optional<LockLease>> waiting() {
    Future<Optional<LockLease>> wait = two.waitForLock("l");
    two.awaitNotices(true);
    Await.until(() -> two.refusals() >= 2, "refused, and again when notices began to come");
    return wait;
  }

  @Test
  @DisplayName("10.4 what was released while the subscription was lost is found when it is back")
  void subscriptionLost() {
    open();
    LockLease held = two.takeLock("l");
    Future<Optional<LockLease>> wait = waiting();
    long before = two.attempts();
    killSubscriptions();
    Await.until(() -> two.attempts() > before, MOMENT, "it looks again");
    two.awaitNotices(true);
    assertThat(wait.isComplete()).isFalse();
    two.release(held);
    assertThat(Await.within(MOMENT, wait)).isPresent();
    assertThat(two.heard()).isEqualTo(1);
  }

  @Test
  @DisplayName("10.4 a release that nobody told of is found when the subscription is made anew")
  void notTold() {
    open();
    two.takeLock("l");
    Future<Optional<LockLease>> wait = waiting();
    try (RedisSide side = server.side()) {
      side.command("DEL", "rs:lk:{l}");
    }
    killSubscriptions();
    assertThat(Await.within(MOMENT, wait)).isPresent();
    assertThat(two.heard()).isZero();
  }

  private void killSubscriptions() {
    try (RedisSide side = server.side()) {
      assertThat(side.command("CLIENT", "KILL", "TYPE", "pubsub")).isEqualTo(1L);
    }
  }

  @Test
  @DisplayName("10.4 notices come again from a server that was restarted")
  void serverRestarted() {
    open();
    LockLease held = two.takeLock("l");
    Future<Optional<LockLease>> wait = waiting();
    long before = two.refusals();
    server.save();
    server.kill();
    Await.until(() -> notices() == 0, MOMENT, "the loss is noticed");
    server.startAgain();
    Await.until(() -> two.refusals() > before, MOMENT, "it has looked again");
    assertThat(wait.isComplete()).isFalse();
    two.release(held);
    assertThat(Await.within(MOMENT, wait)).isPresent();
  }

  private long notices() {
    return two.waiter.figures().get(Figures.NOTICES);
  }

  @Test
  @DisplayName("10.4 a user without channels waits with pauses, and leaves no trace of trying")
  void notPermitted() {
    try (RedisSide side = server.side()) {
      side.command("ACL", "SETUSER", "lib", "on", ">pw", "~*", "resetchannels", "+@all");
      String uri = server.uri("lib", "pw", 0);
      two = new TwoRuntimes(vertx, options(uri), options(uri), new Pauses(20, 100));
      assertServedWithPauses("l");
      assertThat(two.waiter.figures()).containsEntry(Figures.NOTICES_REFUSED, 2L);
      assertThat(two.holder.figures()).containsEntry(Figures.NOTICES_REFUSED, 1L);
      long connections = side.connectionsAccepted();
      side.command("ACL", "LOG", "RESET");
      assertServedWithPauses("m");
      assertThat((List<?>) side.command("ACL", "LOG")).isEmpty();
      assertThat(side.connectionsAccepted()).isEqualTo(connections);
    }
  }

  private void assertServedWithPauses(String key) {
    LockLease held = two.takeLock(key);
    long before = two.refusals();
    Future<Optional<LockLease>> wait = two.waitForLock(key);
    two.awaitRefusals(before + 4); // long enough to have subscribed
    two.release(held);
    assertThat(Await.within(MOMENT, wait)).isPresent();
    assertThat(two.heard()).isZero();
  }

  @Test
  @Tag("soak")
  @DisplayName("10.4 a subscription that the server does not confirm any more is made anew")
  void muted() {
    open();
    two.takeLock("l");
    Future<Optional<LockLease>> wait = waiting();
    proxy.mute();
    Await.until(() -> notices() == 0, Duration.ofSeconds(15), "it is given up");
    try (RedisSide side = server.side()) {
      side.command("DEL", "rs:lk:{l}");
    }
    proxy.cut();
    proxy.unmute();
    assertThat(Await.within(MOMENT, wait)).isPresent();
  }
}
