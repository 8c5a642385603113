package io.runtimestate.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.vertx.core.Vertx;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultProxyTest {

  private static final Duration SILENCE = Duration.ofMillis(150);

  private static RedisServer redis;

  private final String key = "key:" + System.nanoTime();
  private Vertx vertx;
  private FaultProxy proxy;
  private RedisSide side;

  @BeforeAll
  static void startServer() {
    redis = RedisServer.start();
  }

  @AfterAll
  static void stopServer() {
    redis.close();
  }

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
    proxy = FaultProxy.start(vertx, redis.port());
    side = RedisSide.open(proxy.port());
    assertThat(side.command("PING")).isEqualTo("PONG");
  }

  @AfterEach
  void close() {
    side.close();
    proxy.close();
    Await.get(vertx.close());
  }

  @Test
  void forwardsAndCounts() {
    assertThat(proxy.accepted()).isEqualTo(1);
    assertThat(proxy.open()).isEqualTo(1);
    assertThat(proxy.bytesToServer()).isEqualTo("*1\r\n$4\r\nPING\r\n".length());
    assertThat(proxy.bytesToClient()).isEqualTo("+PONG\r\n".length());
    side.close();
    Await.until(() -> proxy.open() == 0, "the connection is forgotten");
  }

  @Test
  void cutResetsWhatIsOpenAndTakesNewConnections() {
    proxy.cut();

    assertReset();
    assertNewConnectionWorks();
    assertThat(proxy.accepted()).isEqualTo(2);
  }

  @Test
  void cutWorksOnStalledConnections() {
    proxy.stall();
    side.send("PING");
    proxy.cut();

    assertReset();
    assertThat(proxy.open()).isZero();
  }

  @Test
  void hangUpEndsInGoodOrder() {
    proxy.hangUp();

    assertEnd();
  }

  @Test
  void serverThatEndsIsSeenAsEnd() {
    try (var own = RedisServer.start();
        var toOwn = FaultProxy.start(vertx, own.port());
        var client = RedisSide.open(toOwn.port())) {
      client.command("PING");
      own.kill();
      assertThatThrownBy(client::read).hasCauseInstanceOf(EOFException.class);
      assertThatThrownBy(() -> RedisSide.open(toOwn.port()).command("PING"))
          .isInstanceOf(UncheckedIOException.class);
      own.startAgain();
      assertThat(RedisSide.open(toOwn.port()).command("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void stalledRequestIsHeldBackUntilResume() {
    proxy.stall();
    side.send("INCR", key);

    assertThat(side.silentFor(SILENCE)).isTrue();
    assertThat(stored()).isNull();
    proxy.resume();
    assertThat(side.read()).isEqualTo(1L);
  }

  @Test
  void connectionMadeWhileStalledWaits() {
    proxy.stall();
    try (var second = RedisSide.open(proxy.port())) {
      second.send("PING");
      assertThat(second.silentFor(SILENCE)).isTrue();
      proxy.resume();
      assertThat(second.read()).isEqualTo("PONG");
    }
  }

  @Test
  void mutedRequestIsCarriedOutWithoutReply() {
    proxy.mute();
    side.send("INCR", key);

    assertThat(side.silentFor(SILENCE)).isTrue();
    assertThat(stored()).isEqualTo("1");
    proxy.unmute();
    assertThat(side.command("INCR", key)).isEqualTo(2L);
  }

  @Test
  void delayHoldsRepliesBackInOrder() {
    proxy.delay(150);
    long start = System.nanoTime();
    side.send("ECHO", "a");
    side.send("ECHO", "b");
    assertThat(side.silentFor(Duration.ofMillis(50))).isTrue();
    assertThat(new String((byte[]) side.read())).isEqualTo("a");
    proxy.delay(0);
    assertThat(new String((byte[]) side.read())).isEqualTo("b");
    side.command("PING");

    assertThat(System.nanoTime() - start).isBetween(150_000_000L, 5_000_000_000L);
  }

  @Test
  void chunkedRepliesArriveWhole() {
    proxy.chunk(1);
    String text = "0123456789".repeat(30);

    assertThat(side.command("ECHO", text)).isEqualTo(text);
    assertThat(side.command("ECHO", text)).isEqualTo(text);
  }

  @Test
  void refusedConnectionsCloseAndOthersLive() {
    proxy.refuse();
    try (var refused = RedisSide.open(proxy.port())) {
      assertThatThrownBy(() -> refused.command("PING")).isInstanceOf(UncheckedIOException.class);
    }
    assertThat(side.command("PING")).isEqualTo("PONG");
    assertThat(proxy.refused()).isEqualTo(1);
    proxy.accept();
    assertNewConnectionWorks();
  }

  @Test
  void cutAfterNextRequestLosesOnlyTheReply() {
    proxy.cutAfterNextRequest();
    side.send("INCR", key);

    assertReset();
    assertThat(stored()).isEqualTo("1");
    assertNewConnectionWorks();
  }

  @Test
  void cutAfterNextRequestWaitsForTheWholeRequest() {
    proxy.cutAfterNextRequest();
    side.send("SET", key, "x".repeat(1_000_000));

    assertReset();
    assertThat(stored()).hasSize(1_000_000);
  }

  @Test
  void cutAfterRequestBytesTruncatesTheRequest() {
    long before = proxy.bytesToServer();
    proxy.cutAfterRequestBytes(10);
    side.send("INCR", key);

    assertReset();
    assertThat(stored()).isNull();
    assertThat(proxy.bytesToServer() - before).isEqualTo(10);
    assertNewConnectionWorks();
  }

  @Test
  void cutAfterRepliesLetsExactlySoManyThrough() {
    proxy.cutAfterReplies(2);
    side.send("MGET", key, key);
    side.send("PING");
    side.send("PING");

    assertThat(side.read()).asInstanceOf(LIST).hasSize(2);
    assertThat(side.read()).isEqualTo("PONG");
    assertEnd();
    assertNewConnectionWorks();
  }

  @Test
  void closeLeavesNothingOpen() {
    proxy.close();

    assertThat(proxy.open()).isZero();
    assertThat(RedisProbe.answers("127.0.0.1", proxy.port())).isFalse();
  }

  private void assertReset() {
    assertThatThrownBy(side::read).hasCauseInstanceOf(SocketException.class);
  }

  private void assertEnd() {
    assertThatThrownBy(side::read).hasCauseInstanceOf(EOFException.class);
  }

  private void assertNewConnectionWorks() {
    try (var second = RedisSide.open(proxy.port())) {
      assertThat(second.command("PING")).isEqualTo("PONG");
    }
  }

  private String stored() {
    try (var direct = redis.side()) {
      return (String) direct.command("GET", key);
    }
  }
}
