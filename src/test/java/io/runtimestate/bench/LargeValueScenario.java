package io.runtimestate.bench;

import io.runtimestate.RuntimeState;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The 99th percentile of small gets at a fixed rate while somebody on another event loop, and so on
 * another connection, moves something large twice a second. The plain client with a connection for
 * each of the two shows what of it is the server's: it does one thing at a time.
 */
final class LargeValueScenario implements Scenario {
  private static final int LARGE_BYTES = 5 << 20;
  private static final int MANY = 100_000;
  private static final long PAUSE_MILLIS = 500;
  private static final String OURS = "ours, beside it";
  private static final String QUIET = "ours, alone";
  private static final String PLAIN = "plain client, beside it";

  @Override
  public String name() {
    return "large-values";
  }

  @Override
  public String title() {
    return "Redis: 99th percentile of small gets beside something large";
  }

  /** Enough calls for the percentile, and for something large to come several times. */
  @Override
  public int usualMillis() {
    return 3_000;
  }

  @Override
  public void run(Bench bench) throws Exception {
    try (RedisStage stage = new RedisStage(bench.arguments())) {
      Context elsewhere = stage.loop();
      Both both =
          new Both(stage.state(), stage.caller, stage.plain(), elsewhere, stage.plain(elsewhere));
      both.fill();
      both.compare(bench, "5 MiB set", both.oursSet(), both.plainSet());
      both.compare(
          bench,
          "5 MiB get",
          () -> both.state.kv().get("large"),
          () -> both.plainElsewhere.send(Request.cmd(Command.GET, "plain:large")));
      both.compare(
          bench,
          "a reply of " + MANY + " members",
          () -> both.state.sets().members("many"),
          () -> both.plainElsewhere.send(Request.cmd(Command.SMEMBERS, "plain:many")));
    }
  }

  /** Ours and the plain client, each with a quiet and a loud caller. */
  private record Both(
      RuntimeState state,
      Context caller,
      RedisConnection plain,
      Context elsewhere,
      RedisConnection plainElsewhere) {

    void fill() throws Exception {
      List<String> members = IntStream.range(0, MANY).mapToObj(i -> "member:" + i).toList();
      Request adding = Request.cmd(Command.SADD).arg("plain:many");
      members.forEach(adding::arg);
      Stage.on(elsewhere, () -> state.sets().addAll("many", members));
      Stage.on(elsewhere, () -> plainElsewhere.send(adding));
      Stage.on(elsewhere, oursSet()::get);
      Stage.on(elsewhere, plainSet()::get);
    }

    Supplier<Future<?>> oursSet() {
      String large = "x".repeat(LARGE_BYTES);
      return () -> state.kv().set("large", large);
    }

    Supplier<Future<?>> plainSet() {
      String large = "x".repeat(LARGE_BYTES);
      return () -> plainElsewhere.send(Request.cmd(Command.SET, "plain:large", large));
    }

    void compare(Bench bench, String what, Supplier<Future<?>> ours, Supplier<Future<?>> theirs)
        throws Exception {
      LongFunction<Future<?>> small = n -> state.kv().get(Stage.key(n));
      LongFunction<Future<?>> plainSmall = n -> plain.send(Request.cmd(Command.GET, Stage.key(n)));
      List<Contender> all =
          List.of(
              new Beside(new Paced(OURS, caller, small), elsewhere, ours),
              new Paced(QUIET, caller, small),
              new Beside(new Paced(PLAIN, caller, plainSmall), elsewhere, theirs));
      bench.compare(
          new Comparison("p99 beside " + what, all)
              .by(Comparison.Metric.P99)
              .target(QUIET, Target.atMost(2)));
    }
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
    private volatile Throwable failure;

    Repeated(Context context, Supplier<Future<?>> action) {
      this.context = context;
      this.action = action;
    }

    void start() {
      context.runOnContext(now -> again());
    }

    void stop() {
      running = false;
      if (failure != null) {
        throw new IllegalStateException("what goes on beside it failed", failure);
      }
    }

    private void pause() {
      context.owner().setTimer(PAUSE_MILLIS, later -> again());
    }

    private void again() {
      if (running) {
        action.get().onFailure(cause -> failure = cause).onComplete(done -> pause());
      }
    }
  }
}
