package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisSentinels;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A master and a replica that sentinels watch; the sentinels have no password. */
class SentinelTest extends RedisTest {
  /** The sentinels take ten seconds to tell the old master, when nothing else runs. */
  private static final Duration FAIL_OVER = Duration.ofSeconds(60);

  private RedisSentinels sentinels;

  @BeforeEach
  void start() {
    sentinels = RedisSentinels.start("requirepass secret", "masterauth secret");
  }

  @AfterEach
  void stop() {
    sentinels.close();
  }

  private RuntimeStateOptions options(int timeoutMillis) {
    RuntimeStateOptions options =
        options("redis://unused")
            .setRedis(sentinels.options())
            .setCommandTimeout(Duration.ofMillis(timeoutMillis));
    options.getRedis().setPassword("secret");
    return options;
  }

  @Test
  @DisplayName("calls that wait within their deadline reach the new master")
  void failOver() {
    StateBackend backend = open(options(15_000));
    run(backend, set("k", "v"));
    assertThat(run(backend, compareAndSet("k", "v", "w"))).isTrue();
    sentinels.servers().get(0).kill();
    Await.until(() -> backend.figures().get("lane.fast.connections") == 0, "it is down");
    run(backend, set("k", "x")); // waits for the fail-over
    assertThat(run(backend, compareAndSet("k", "x", "y"))).isTrue();
    try (RedisSide side = onlyServer(1)) {
      assertThat(side.command("GET", "SentinelTest:d:k")).isEqualTo("y");
    }
  }

  private RedisSide onlyServer(int index) {
    return RedisSide.open(sentinels.servers().get(index).port()).auth("", "secret");
  }

  @Test
  @DisplayName("a master that was demoted while connected is left for the new one")
  void demotedWhileConnected() {
    StateBackend backend = open(options(15_000));
    run(backend, set("k", "v"));
    sentinels.failOver(); // which also closes the connections to the old master
    Await.until(
        () -> role(1).equals("master") && role(0).equals("slave"), FAIL_OVER, "they change places");
    Await.until(() -> worksOrUnavailable(backend), "writes work again");
    try (RedisSide side = onlyServer(1)) {
      assertThat(side.command("GET", "SentinelTest:d:k")).isEqualTo("new");
    }
  }

  /** The fail-over closes connections to the old master, this one too if it comes in between. */
  private String role(int index) {
    try (RedisSide side = onlyServer(index)) {
      return side.info("replication").get("role");
    } catch (UncheckedIOException closed) {
      return "changing";
    }
  }

  private static boolean worksOrUnavailable(StateBackend backend) {
    var call = backend.execute(set("k", "new"));
    Await.until(call::isComplete, "it completes");
    if (call.failed()) {
      assertThat(failure(call).code()).isEqualTo(FailureCode.UNAVAILABLE);
    }
    return call.succeeded();
  }

  @Test
  void unknownMasterFailsOpen() {
    RuntimeStateOptions options = options(15_000);
    options.getRedis().setMasterName("nobody");
    assertThat(failure(opening(options)))
        .hasMessageContaining("redis.masterName")
        .extracting(RuntimeStateException::code)
        .isEqualTo(FailureCode.INVALID_CONFIGURATION);
  }

  @Test
  void oneSentinelIsEnough() {
    RuntimeStateOptions options = options(5_000);
    options.getRedis().setUrl("redis://127.0.0.1:1");
    try (RedisServer unrelated = RedisServer.start()) {
      options.getRedis().addEndpoint(unrelated.uri()); // asked last
      run(open(options), set("k", "v"));
    }
  }
}
