package io.runtimestate.bench;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.MemoryOptions;
import io.runtimestate.config.RuntimeStateOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.function.Function;

/** A store in memory that holds so many entries of something, and names for them. */
record ScaleWorld(RuntimeState state, Context owner, int size) {
  /** A prime, so that it visits all entries whatever the size. */
  private static final long STRIDE = 15_485_863;

  /** For what a call adds to a full store before it is taken away again. */
  private static final int ROOM = 100_000;

  /** With room for everything. */
  static ScaleWorld open(Stage stage, Context owner, int size) throws Exception {
    return open(stage, owner, size, size + ROOM);
  }

  /** With room for so many values. */
  static ScaleWorld open(Stage stage, Context owner, int size, int values) throws Exception {
    MemoryOptions memory =
        new MemoryOptions()
            .setMaxValues(values)
            .setMaxUsageEvents(2 * size + ROOM)
            .setMaxUsageWindows(size + ROOM);
    return new ScaleWorld(
        stage.state(owner, new RuntimeStateOptions().setMemory(memory)), owner, size);
  }

  void fill(Function<String, Future<?>> put) throws Exception {
    Chain.on(owner, size, i -> put.apply(name(i)));
  }

  /** One of the entries: consecutive numbers are far from each other, and none comes back soon. */
  int index(long number) {
    return (int) (number * STRIDE % size);
  }

  /** The name of one of the entries, as a new text, as it would come with a request. */
  String some(long number) {
    return name(index(number));
  }

  /** A name that is not there, somewhere between the others; no two of a batch are the same. */
  String other(long number) {
    return some(number) + "+" + number % ScaleContender.BATCH;
  }

  static String name(int index) {
    return "session:" + index;
  }
}
