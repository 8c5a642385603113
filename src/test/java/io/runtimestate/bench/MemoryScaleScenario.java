package io.runtimestate.bench;

import io.runtimestate.RuntimeState;
import io.vertx.core.Context;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What many entries cost: each call, the heap, and the moment when all of them expire. */
final class MemoryScaleScenario implements Scenario {
  private static final int FEW = 1_000;
  private static final double MOST_GROWTH = 2;
  private static final long LONGEST_HOLD_MILLIS = 10;
  private static final long MOST_SECONDS = 5;
  private static final Duration UNTIL_EXPIRY = Duration.ofSeconds(15);
  private static final List<Supplier<ScaleFamily>> FAMILIES =
      List.of(
          KvScale::new,
          EvictionScale::new,
          SetScale::new,
          ScoreScale::new,
          RateScale::new,
          UsageScale::new,
          UsageWindowScale::new,
          QueueScale::new,
          LockScale::new,
          SemaphoreScale::new);

  @Override
  public String name() {
    return "memory-scale";
  }

  @Override
  public String title() {
    return "Memory: the cost of a call while the store grows";
  }

  @Override
  public int usualMillis() {
    return 80;
  }

  @Override
  public void run(Bench bench) throws Exception {
    int many = bench.arguments().keys();
    for (Supplier<ScaleFamily> family : FAMILIES) {
      costPerCall(bench, family.get(), many);
    }
    if (bench.arguments().wants("heap")) {
      new Footprint(bench, many).measure();
    }
    if (bench.arguments().wants("expiry")) {
      expiryOfAll(bench, many);
    }
  }

  /** The largest comes first: the others are what its cost is compared with. */
  private static void costPerCall(Bench bench, ScaleFamily family, int many) throws Exception {
    try (Stage stage = new Stage()) {
      Context owner = stage.loop();
      List<List<Contender>> columns = new ArrayList<>();
      List<ScaleOperation<?, ?>> operations = List.of();
      for (int size : List.of(many, Math.max(FEW, many / 10), FEW)) {
        ScaleWorld world = family.open(stage, owner, size);
        operations = family.fill(world);
        columns.add(contenders(world, operations));
      }
      for (int row = 0; row < operations.size(); row++) {
        compare(bench, operations.get(row), row(columns, row));
      }
    }
  }

  private static List<Contender> contenders(
      ScaleWorld world, List<ScaleOperation<?, ?>> operations) {
    List<Contender> contenders = new ArrayList<>();
    for (ScaleOperation<?, ?> operation : operations) {
      contenders.add(new ScaleContender<>(world, operation));
    }
    return contenders;
  }

  private static List<Contender> row(List<List<Contender>> columns, int row) {
    return columns.stream().map(column -> column.get(row)).toList();
  }

  private static void compare(Bench bench, ScaleOperation<?, ?> operation, List<Contender> sizes)
      throws Exception {
    Comparison comparison =
        new Comparison(operation.name(), sizes)
            .by(Comparison.Metric.COST)
            .note(operation.promise());
    if (operation.batch() > 1) {
      comparison.target(String.valueOf(FEW), Target.atMost(MOST_GROWTH));
    }
    bench.compare(comparison);
  }

  /** Garbage collections hold the loop as well and are told beside it. */
  private static void expiryOfAll(Bench bench, int many) throws Exception {
    try (Stage stage = new Stage()) {
      Context owner = stage.loop();
      ScaleWorld world = ScaleWorld.open(stage, owner, many);
      RuntimeState state = world.state();
      long at = System.nanoTime() + UNTIL_EXPIRY.toNanos();
      world.fill(key -> state.kv().set(key, Stage.VALUE, until(at)));
      System.gc();
      LoopHold hold = new LoopHold(owner);
      Thread.sleep(Math.max(0, until(at).toMillis() - 1_000));
      long gcBefore = gcMillis();
      hold.start();
      while (state.statistics().await().store().orElseThrow().values() > 0) {
        Thread.sleep(50);
      }
      double seconds = (System.nanoTime() - at) / 1e9;
      hold.stop();
      String what = "longest hold of the loop while " + many + " keys expire, ";
      Target target = Target.atMost(LONGEST_HOLD_MILLIS);
      bench.figure(what + "processor time", hold.workMillis(), "ms", target);
      bench.figure(what + "by the clock", hold.millis(), "ms", null);
      bench.figure("time until all are gone", seconds, "s", Target.atMost(MOST_SECONDS));
      bench.figure("garbage collection meanwhile", gcMillis() - gcBefore, "ms", null);
    }
  }

  private static Duration until(long at) {
    return Duration.ofNanos(Math.max(1_000_000, at - System.nanoTime()));
  }

  private static long gcMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }
}
