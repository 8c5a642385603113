package io.runtimestate.support;

import io.runtimestate.RuntimeState;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Demands of a runtime that every future it hands out completes, once, on the caller's context.
 *
 * <p>{@link #watch} gives another face of a runtime whose calls pass through here; {@link #verify}
 * fails for every call that has not ended a moment later.
 */
public final class SettleCheck {
  private static final Duration MOMENT = Duration.ofSeconds(5);
  private static final int SHOWN = 5;

  private final Duration limit;
  private final Set<WatchedCall> open = ConcurrentHashMap.newKeySet();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();

  /** Waits longer than any call takes that is not waiting for something. */
  public SettleCheck() {
    this(MOMENT);
  }

  SettleCheck(Duration limit) {
    this.limit = limit;
  }

  /** The same runtime, watched; closing it closes the runtime. */
  public RuntimeState watch(Vertx vertx, RuntimeState runtime) {
    StateBackend door = (StateBackend) part(runtime, "gate");
    return over(vertx, watch(door, runtime::close), part(runtime, "leases"));
  }

  /** The same backend, watched. */
  public StateBackend watch(StateBackend backend) {
    return watch(backend, backend::close);
  }

  private StateBackend watch(StateBackend backend, Supplier<Future<Void>> close) {
    return new WatchedBackend(backend, close, this);
  }

  void add(WatchedCall call) {
    open.add(call);
  }

  void remove(WatchedCall call) {
    open.remove(call);
  }

  void violation(String text) {
    if (violations.size() < SHOWN) {
      violations.add(text);
    }
  }

  /**
   * Waits a moment for what is open, then fails for what is left and for every wrong completion.
   */
  public void verify() {
    try {
      Await.until(open::isEmpty, limit, "every future completes");
    } catch (AssertionError late) {
      open.stream().limit(SHOWN).forEach(call -> violation(call + " never completed"));
    }
    if (!violations.isEmpty()) {
      throw new AssertionError("calls that did not settle: " + List.copyOf(violations));
    }
  }

  /** The faces of a runtime have no seam for this on purpose, so it takes what is private. */
  private static Object part(RuntimeState runtime, String name) {
    try {
      Field field = RuntimeState.class.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(runtime);
    } catch (ReflectiveOperationException changed) {
      throw new AssertionError("RuntimeState has no field " + name + " any more", changed);
    }
  }

  private static RuntimeState over(Vertx vertx, StateBackend door, Object leases) {
    try {
      Constructor<RuntimeState> constructor =
          RuntimeState.class.getDeclaredConstructor(
              Vertx.class, StateBackend.class, leases.getClass());
      constructor.setAccessible(true);
      return constructor.newInstance(vertx, door, leases);
    } catch (ReflectiveOperationException changed) {
      throw new AssertionError("RuntimeState is not made of a door and its leases", changed);
    }
  }
}
