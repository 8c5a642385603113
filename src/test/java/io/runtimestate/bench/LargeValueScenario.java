package io.runtimestate.bench;

import io.runtimestate.RuntimeState;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Small operations while somebody else on another event loop moves something large. */
final class LargeValueScenario implements Scenario {
  private static final int LARGE_BYTES = 5 << 20;
  private static final int MANY = 100_000;
  private static final String QUIET = "nothing else";

  /** Far enough apart that the server itself is not simply busy. */
  private static final long PAUSE_MILLIS = 100;

  @Override
  public String name() {
    return "large-values";
  }

  @Override
  public String title() {
    return "Redis: 99th percentile of small gets beside something large";
  }

  @Override
  public void run(Bench bench) throws Exception {
    try (RedisStage stage = new RedisStage(bench.arguments())) {
      RuntimeState state = stage.state();
      Context elsewhere = stage.loop();
      String large = "x".repeat(LARGE_BYTES);
      List<String> keys = IntStream.range(0, MANY).mapToObj(i -> "many:" + i).toList();
      Stage.on(elsewhere, () -> state.kv().set("large", large));
      for (int depth : bench.arguments().depths(1, 16)) {
        Contender quiet = small(state, stage.caller, depth, QUIET);
        compare(bench, stage, quiet, depth, elsewhere, "5 MiB set", () -> set(state, large));
        compare(bench, stage, quiet, depth, elsewhere, "5 MiB get", () -> state.kv().get("large"));
        compare(
            bench, stage, quiet, depth, elsewhere, MANY + " keys", () -> state.kv().getMany(keys));
      }
    }
  }

  private static Future<Void> set(RuntimeState state, String large) {
    return state.kv().set("large", large);
  }

  private static void compare(
      Bench bench,
      RedisStage stage,
      Contender quiet,
      int depth,
      Context elsewhere,
      String what,
      Supplier<Future<?>> action)
      throws Exception {
    Contender loud = new Beside(small(stage.state(), stage.caller, depth, what), elsewhere, action);
    bench.compare(
        new Comparison("p99 of " + depth + " in flight beside " + what, List.of(loud, quiet))
            .by(Comparison.Metric.P99)
            .target(QUIET, Target.atMost(2)));
  }

  private static Contender small(RuntimeState state, Context caller, int depth, String name) {
    return Peer.of(name, (n, slot) -> state.kv().get(Stage.key(n)).onComplete(slot))
        .under(new Load(depth, Starts.TASK, List.of(caller), true));
  }

  /** A contender beside which something else goes on. */
  private record Beside(Contender small, Context elsewhere, Supplier<Future<?>> action)
      implements Contender {
    @Override
    public String name() {
      return small.name();
    }

    @Override
    public Sample round(long millis) throws Exception {
      Repeated repeated = new Repeated(elsewhere, action);
      repeated.start();
      try {
        return small.round(millis);
      } finally {
        repeated.stop();
      }
    }
  }

  private static final class Repeated {
    private final Context context;
    private final Supplier<Future<?>> action;
    private volatile boolean running = true;

    Repeated(Context context, Supplier<Future<?>> action) {
      this.context = context;
      this.action = action;
    }

    void start() {
      context.runOnContext(now -> again());
    }

    void stop() {
      running = false;
    }

    private void again() {
      if (running) {
        action.get().onComplete(done -> context.owner().setTimer(PAUSE_MILLIS, later -> again()));
      }
    }
  }
}
