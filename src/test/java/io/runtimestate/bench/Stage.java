package io.runtimestate.bench;

import io.netty.channel.EventLoop;
import io.runtimestate.RuntimeState;
import io.runtimestate.config.MemoryOptions;
import io.runtimestate.config.RuntimeStateOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A Vert.x with a few event loops, and whatever a scenario opens on it. */
class Stage implements AutoCloseable {
  /** Enough keys that no cache line stays hot by chance, few enough that all caches hold them. */
  static final int KEYS = 4_096;

  static final Duration TTL = Duration.ofMinutes(10);
  static final String VALUE = "v".repeat(64);

  private static final int LOOPS = 4;
  private static final long PATIENCE_SECONDS = 60;
  private static final String[] NAMES = names();

  final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(LOOPS));
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final Set<EventLoop> loops = new HashSet<>();

  private static String[] names() {
    String[] names = new String[KEYS];
    for (int i = 0; i < KEYS; i++) {
      names[i] = "session:" + Integer.toHexString(i * 0x9E3779B9) + ":state";
    }
    return names;
  }

  /** A key; consecutive numbers give keys far from each other. */
  static String key(long number) {
    return NAMES[(int) (number * 0x9E3779B97F4A7C15L >>> 52)];
  }

  /** A context on an event loop that was not given out before; there are {@value #LOOPS}. */
  Context loop() {
    if (loops.size() == LOOPS) {
      throw new IllegalStateException("no event loop is left");
    }
    ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
    // Vert.x goes round, and whatever was opened since the call before has taken its turn.
    return loops.add(context.nettyEventLoop()) ? context : loop();
  }

  /** Does something on a context and waits for it. */
  static <T> T on(Context context, Supplier<Future<T>> action) throws Exception {
    Promise<T> done = Promise.promise();
    context.runOnContext(
        now -> {
          try {
            action.get().onComplete(done);
          } catch (RuntimeException failure) {
            done.fail(failure);
          }
        });
    return done.future().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Has it closed with the stage, last one first. */
  <C extends AutoCloseable> C closing(C resource) {
    open.push(resource);
    return resource;
  }

  RuntimeState state(Context owner, RuntimeStateOptions options) throws Exception {
    return on(owner, () -> RuntimeState.open(vertx, options));
  }

  /** A state in memory with room for all. */
  RuntimeState memory(Context owner, int values) throws Exception {
    return state(
        owner, new RuntimeStateOptions().setMemory(new MemoryOptions().setMaxValues(values)));
  }

  @Override
  public void close() throws Exception {
    vertx.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }
}
