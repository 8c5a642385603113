package io.runtimestate.observe;

import io.vertx.core.Context;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * A count that any thread may add to and any may read. The event loop that counts first adds
 * without an atomic instruction, which would cost as much as finding a value: most states are
 * called from one loop, above all those that it owns.
 */
final class EventCount {
  private static final VarHandle OWNER = field("owner", Thread.class);
  private static final VarHandle OWN = field("own", long.class);

  private final LongAdder others = new LongAdder();
  private Thread owner; // set once
  private long own; // written by the owner only

  void increment() {
    if (owner == Thread.currentThread() || (owner == null && becomeOwner())) {
      OWN.setOpaque(this, own + 1);
    } else {
      others.increment();
    }
  }

  long sum() {
    return (long) OWN.getOpaque(this) + others.sum();
  }

  /** Other threads come and go. */
  private boolean becomeOwner() {
    return Context.isOnEventLoopThread() && OWNER.compareAndSet(this, null, Thread.currentThread());
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(EventCount.class, name, type);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
