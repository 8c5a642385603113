package io.runtimestate.fault.run;

import io.runtimestate.RuntimeState;
import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Somebody who calls one family, turn after turn, on a loop of its own, and keeps account. */
abstract class Load {
  static final Duration TIMEOUT = Duration.ofSeconds(1);

  final Vertx vertx;
  final RuntimeState state;
  final Tally tally;
  final SplittableRandom random;
  private final Promise<Void> ended = Promise.promise();
  private volatile boolean ending;

  Load(Place place) {
    vertx = place.vertx();
    state = place.state();
    tally = place.tally();
    random = place.random().split();
  }

  /** Where loads work. */
  record Place(Vertx vertx, RuntimeState state, Tally tally, SplittableRandom random) {}

  /** One turn; may fail, as the calls in it do. */
  abstract Future<?> turn();

  /** Compares the store with the account, when faults and turns are over. */
  abstract void verify();

  final void start() {
    vertx.runOnContext(now -> next());
  }

  /** Completes when the turn that is under way has ended. */
  final Future<Void> end() {
    ending = true;
    return ended.future();
  }

  private void next() {
    if (ending) {
      ended.complete();
    } else {
      turn().onComplete(done -> vertx.setTimer(random.nextInt(1, 5), due -> next()));
    }
  }

  /** A call that ends within the command timeout. */
  final <R> Future<R> call(String name, Supplier<Future<R>> made) {
    return call(name, TIMEOUT, made);
  }

  /** A call that ends within that time. */
  final <R> Future<R> call(String name, Duration limit, Supplier<Future<R>> made) {
    long startedAt = System.nanoTime();
    tally.started();
    return made.get()
        .onComplete((result, failure) -> tally.ended(name, startedAt, limit.toMillis(), failure));
  }

  /** So many at once. */
  static Future<?> burst(int calls, Supplier<Future<?>> one) {
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      all.add(one.get());
    }
    return Future.join(all);
  }

  static boolean mayHaveBeenApplied(Throwable failure) {
    return ((RuntimeStateException) failure).mayHaveBeenApplied();
  }

  final void require(boolean condition, String otherwise) {
    if (!condition) {
      tally.violation(otherwise);
    }
  }

  final void requireBetween(double value, double least, double most, String what) {
    require(
        value >= least && value <= most, what + " is " + value + ", not " + least + ".." + most);
  }
}
