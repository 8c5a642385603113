package io.runtimestate.lease;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What waits and keeps refuses wrong arguments by their names, and asks the store nothing. */
class LeaseArgumentsTest {
  private static final Duration OK = Duration.ofSeconds(1);
  private static final Duration NEGATIVE = Duration.ofMillis(-1);
  private static final Duration TOO_LONG = Duration.ofDays(36_525).plusMillis(1);
  private static final List<String> BLANK = Arrays.asList(null, "", " ", "\u2003\t");

  private final Vertx vertx = Vertx.vertx();
  private final InterceptedDoor door = new InterceptedDoor(vertx);
  private final Leases leases = new Leases(vertx, door, true);

  /** A call with four arguments that all ways to a lock have. */
  private interface Call {
    Object with(String key, String owner, Duration ttl, Duration waitUpTo);
  }

  @AfterEach
  void close() {
    assertThat(door.asked(Operation.class)).isZero();
    get(leases.close());
    get(door.close());
    get(vertx.close());
  }

  private static void assertRefused(Runnable call, String named) {
    RuntimeStateException refused = catchThrowableOfType(RuntimeStateException.class, call::run);
    assertThat(refused).as(named).isNotNull();
    assertThat(refused.code()).isEqualTo(FailureCode.INVALID_INPUT);
    assertThat(refused.mayHaveBeenApplied()).isFalse();
    assertThat(refused.getMessage()).contains(": " + named);
  }

  private static void assertLockArguments(Call call) {
    for (String blank : BLANK) {
      assertRefused(() -> call.with(blank, "o", OK, OK), "key");
      assertRefused(() -> call.with("l", blank, OK, OK), "owner");
    }
    for (Duration wrong : Arrays.asList(null, Duration.ZERO, NEGATIVE, TOO_LONG)) {
      assertRefused(() -> call.with("l", "o", wrong, OK), "ttl");
    }
  }

  private static void assertWaits(Call call) {
    for (Duration wrong : Arrays.asList(null, NEGATIVE, TOO_LONG)) {
      assertRefused(() -> call.with("l", "o", OK, wrong), "waitUpTo");
    }
  }

  private static void assertAll(Call call) {
    assertLockArguments(call);
    assertWaits(call);
  }

  @Test
  @DisplayName("C373 10.4 blank names and durations that are no time are refused by every helper")
  void helpers() {
    assertAll(leases::acquire);
    assertAll(leases::hold);
    assertAll((key, owner, ttl, wait) -> leases.withLock(key, owner, ttl, wait, held -> done()));
    assertAll(
        (key, owner, ttl, wait) -> leases.acquireAll(Arrays.asList("a", key), owner, ttl, wait));
    assertLockArguments(
        (key, owner, ttl, wait) -> leases.runAsLeader(key, owner, ttl, held -> done()));
    assertRefused(() -> leases.withLock("l", "o", OK, OK, null), "work");
    assertRefused(() -> leases.runAsLeader("l", "o", OK, null), "task");
    assertRefused(() -> leases.acquireAll(List.of(), "o", OK, OK), "keys");
  }

  private static <T> Future<T> done() {
    return Future.succeededFuture();
  }

  @Test
  @DisplayName("11.2 so are the waits of a semaphore and its missing work")
  void semaphore() {
    Semaphore semaphore = leases.semaphore(new SemaphoreOptions("g", 1));
    for (Duration wrong : Arrays.asList(null, NEGATIVE, TOO_LONG)) {
      assertRefusedBy(semaphore.acquire(wrong));
      assertRefusedBy(semaphore.withPermit(wrong, permit -> done()));
    }
  }

  private static void assertRefusedBy(Future<?> call) {
    RuntimeStateException refused = (RuntimeStateException) Await.failure(call);
    assertThat(refused.code()).isEqualTo(FailureCode.INVALID_INPUT);
    assertThat(refused.getMessage()).contains(": waitUpTo");
  }
}
