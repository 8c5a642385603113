package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RedisCredentials;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A user whose password changes while the runtime is open. */
class PasswordRotationTest extends RedisTest {
  private RedisServer server;
  private RedisSide side;
  private volatile String vault = "first";

  @BeforeEach
  void start() {
    server = RedisServer.start();
    side = server.side();
    side.command("ACL", "SETUSER", "lib", "on", ">first", "~PasswordRotationTest:*", "+@all");
  }

  @AfterEach
  void stop() {
    side.close();
    server.close();
  }

  private RuntimeStateOptions rotating() {
    RuntimeStateOptions options = options(server.uri()).setCommandTimeout(Duration.ofSeconds(5));
    options.getRedis().setCredentials(this::current);
    return options;
  }

  private CompletionStage<RedisCredentials> current() {
    return CompletableFuture.supplyAsync(() -> new RedisCredentials("lib", vault));
  }

  private void changePassword(String password) {
    side.command("ACL", "SETUSER", "lib", "resetpass", ">" + password);
  }

  /** Like the server would at a timeout of its own; the old password no longer helps. */
  private void endConnections() {
    side.command("CLIENT", "KILL", "USER", "lib");
  }

  @Test
  @DisplayName("a new password is used without a restart, and only calls in flight may fail")
  void rotation() {
    StateBackend backend = open(rotating());
    run(backend, set("k", "0"));
    for (String next : List.of("second", "third", "fourth")) {
      vault = next;
      changePassword(next);
      run(backend, increment("k")); // open connections go on
      List<Future<Long>> inFlight = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        inFlight.add(backend.execute(increment("k")));
      }
      endConnections();
      inFlight.forEach(PasswordRotationTest::assertDoneOrLost);
      Await.until(() -> backend.figures().get("lane.fast.connections") == 1, "it is back");
      for (int i = 0; i < 50; i++) {
        run(backend, increment("k"));
      }
    }
    assertThat(run(backend, new SystemOperation.Health()).up()).isTrue();
  }

  private static void assertDoneOrLost(Future<Long> call) {
    Await.until(call::isComplete, "it completes");
    if (call.failed()) {
      assertThat(failure(call).code()).isEqualTo(FailureCode.UNAVAILABLE);
    }
  }

  @Test
  @DisplayName("a wrong password is tried with growing pauses, until it is right")
  void noStorm() {
    StateBackend backend = open(rotating());
    run(backend, set("k", "v"));
    changePassword("second"); // and nobody tells the vault
    endConnections();
    Await.until(() -> backend.figures().get("lane.fast.connections") == 0, "it is down");
    Future<Void> waiting = backend.execute(set("k", "w"), 60_000);
    Await.until(() -> refusals() >= 2, "it has tried");
    long before = side.connectionsAccepted();
    long startedAt = System.nanoTime();
    Await.until(() -> System.nanoTime() - startedAt > 2_000_000_000L, "two seconds pass");
    assertThat(side.connectionsAccepted() - before).as("of three lanes").isBetween(1L, 24L);
    assertThat(waiting.isComplete()).isFalse();
    vault = "second";
    Await.get(waiting);
  }

  /** How often the server refused somebody's password. */
  private long refusals() {
    String errors = side.info("errorstats").getOrDefault("errorstat_WRONGPASS", "count=0");
    return Long.parseLong(errors.substring("count=".length()));
  }

  @Test
  @DisplayName("a vault that fails is a failed attempt, and what it says is not shown")
  void vaultFails() {
    RuntimeStateOptions options = rotating();
    options
        .getRedis()
        .setCredentials(() -> CompletableFuture.failedFuture(new IllegalStateException("s3cret")));
    RuntimeStateException failure = failure(opening(options));
    assertThat(failure.code()).isEqualTo(FailureCode.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("redis.credentials").hasMessageNotContaining("s3cret");
    assertThat(failure.getCause()).isNull();
    options
        .getRedis()
        .setCredentials(
            () -> {
              throw new IllegalStateException("s3cret");
            });
    assertThat(failure(opening(options)).code()).isEqualTo(FailureCode.UNAVAILABLE);
  }

  @Test
  @DisplayName("a vault that does not answer ends at the deadline")
  void vaultIsSilent() {
    RuntimeStateOptions options = rotating().setCommandTimeout(Duration.ofMillis(300));
    options.getRedis().setCredentials(CompletableFuture::new);
    assertThat(failure(opening(options)).code()).isEqualTo(FailureCode.TIMED_OUT);
  }
}
