package io.runtimestate.fault.run;

import io.runtimestate.RuntimeState;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** Does one fault after the other, in an order that a seed decides, and measures each. */
final class Faults {
  private static final BiConsumer<Faults, SplittableRandom> NOTHING = (faults, random) -> {};
  private static final Duration PROBE = Duration.ofMillis(200);
  private static final Duration RECOVERY = Duration.ofSeconds(20);

  /** How it begins and ends; in between it lasts for a while. */
  enum Kind {
    CUT((faults, random) -> faults.proxy.cut(), NOTHING),
    HANG_UP((faults, random) -> faults.proxy.hangUp(), NOTHING),
    CUT_IN_A_REQUEST(
        (faults, random) -> faults.proxy.cutAfterRequestBytes(random.nextInt(5_000)), NOTHING),
    CUT_AFTER_REPLIES(
        (faults, random) -> faults.proxy.cutAfterReplies(random.nextInt(1, 50)), NOTHING),
    STALL((faults, random) -> faults.proxy.stall(), (faults, random) -> faults.proxy.resume()),
    MUTE((faults, random) -> faults.proxy.mute(), (faults, random) -> faults.unmute()),
    SLOW(
        (faults, random) -> faults.proxy.delay(random.nextInt(10, 200)),
        (faults, random) -> faults.proxy.delay(0)),
    REFUSE((faults, random) -> faults.refuse(), (faults, random) -> faults.proxy.accept()),
    PAUSE((faults, random) -> faults.server.pause(), (faults, random) -> faults.server.resume()),
    KILL((faults, random) -> faults.server.kill(), (faults, random) -> faults.server.startAgain()),
    KILL_CLIENTS(
        (faults, random) -> faults.tell("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"),
        NOTHING),
    FORGET_SCRIPTS((faults, random) -> faults.tell("SCRIPT", "FLUSH"), NOTHING);

    private final BiConsumer<Faults, SplittableRandom> begin;
    private final BiConsumer<Faults, SplittableRandom> end;

    Kind(BiConsumer<Faults, SplittableRandom> begin, BiConsumer<Faults, SplittableRandom> end) {
      this.begin = begin;
      this.end = end;
    }
  }

  private final RedisServer server;
  private final FaultProxy proxy;
  private final RuntimeState state;
  private final SplittableRandom random;
  private final Map<Kind, List<Long>> recoveries = new EnumMap<>(Kind.class);

  Faults(RedisServer server, FaultProxy proxy, RuntimeState state, SplittableRandom random) {
    this.server = server;
    this.proxy = proxy;
    this.state = state;
    this.random = random;
  }

  /** Until the time is over, every kind once at least if the time is long enough. */
  void run(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    List<Kind> order = new ArrayList<>();
    while (System.nanoTime() - end < 0) {
      if (order.isEmpty()) {
        order.addAll(List.of(Kind.values()));
        shuffle(order);
      }
      one(order.remove(order.size() - 1));
      pass(random.nextInt(50, 400));
    }
  }

  private void shuffle(List<Kind> order) {
    Collections.shuffle(order, new Random(random.nextLong()));
  }

  private void one(Kind kind) {
    kind.begin.accept(this, random);
    try {
      pass(random.nextInt(10, random.nextInt(5) == 0 ? 1_600 : 400));
    } finally {
      kind.end.accept(this, random);
    }
    long endedAt = System.nanoTime();
    Await.until(this::works, RECOVERY, "it works again after " + kind);
    recoveries
        .computeIfAbsent(kind, first -> new ArrayList<>())
        .add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - endedAt));
  }

  /** Asked on two kinds of lanes, with short patience. */
  private boolean works() {
    Future<?> both =
        Future.join(
            state.execute(new KvOperation.Set("probe", "v", Optional.empty(), false), PROBE),
            state.execute(new SystemOperation.Time(), PROBE));
    Await.until(both::isComplete, "they end");
    return both.succeeded();
  }

  private static void pass(int millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** No network goes on with a stream of which it has lost a part. */
  private void unmute() {
    proxy.unmute();
    proxy.cut();
  }

  private void refuse() {
    proxy.refuse();
    proxy.cut();
  }

  private void tell(String... command) {
    try (RedisSide side = server.side()) {
      side.command(command);
    }
  }

  String report() {
    return recoveries.entrySet().stream()
        .map(kind -> line(kind.getKey(), kind.getValue().stream().sorted().toList()))
        .collect(Collectors.joining("\n"));
  }

  private static String line(Kind kind, List<Long> millis) {
    return String.format(
        Locale.ROOT,
        "%-18s %3d times, works again after ms: median %d, most %d",
        kind,
        millis.size(),
        millis.get(millis.size() / 2),
        millis.get(millis.size() - 1));
  }
}
