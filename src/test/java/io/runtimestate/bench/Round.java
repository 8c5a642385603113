package io.runtimestate.bench;

import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** One contender at work for a while. */
final class Round {
  private static final long LONGEST_DRAIN_SECONDS = 60;

  private final LoadContender contender;
  private final CountDownLatch running;
  private final List<Slot> slots = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean over;

  Round(LoadContender contender) {
    this.contender = contender;
    this.running = new CountDownLatch(contender.load().slots());
  }

  Sample run(long millis) throws InterruptedException {
    contender.load().callers().forEach(this::addSlots);
    Meter meter = Meter.start();
    contender.load().callers().forEach(this::startSlots);
    Thread.sleep(millis);
    over = true;
    if (!running.await(LONGEST_DRAIN_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(contender.name() + ": " + running.getCount() + " calls hang");
    }
    return sample(meter);
  }

  private void addSlots(Context caller) {
    for (int i = 0; i < contender.load().inFlight(); i++) {
      slots.add(new Slot(this, contender, caller, slots.size()));
    }
  }

  private void startSlots(Context caller) {
    int first = contender.load().callers().indexOf(caller) * contender.load().inFlight();
    List<Slot> own = slots.subList(first, first + contender.load().inFlight());
    own.forEach(caller::runOnContext);
  }

  private Sample sample(Meter meter) {
    Latencies latencies = new Latencies();
    slots.forEach(slot -> slot.addTo(latencies));
    Sample sample = meter.stop(slots.stream().mapToLong(Slot::operations).sum(), latencies);
    if (failure.get() != null) {
      throw new IllegalStateException(contender.name() + " failed", failure.get());
    }
    return sample;
  }

  boolean isOver() {
    return over;
  }

  void ended() {
    running.countDown();
  }

  void failed(Throwable cause) {
    failure.compareAndSet(null, cause);
    over = true;
  }
}
