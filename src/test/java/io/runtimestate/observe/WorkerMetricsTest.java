package io.runtimestate.observe;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.runtimestate.worker.QueueMessage;
import io.runtimestate.worker.QueueWorker;
import io.runtimestate.worker.QueueWorkerOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What workers did, by stream and group. */
class WorkerMetricsTest {
  private static final String GROUP = "g";
  private static final String MESSAGES = "runtime_state_worker_messages";
  private static final String IN_FLIGHT = "runtime_state_worker_in_flight";
  private static final String RECREATED = "runtime_state_worker_groups_recreated";
  private static final Map<String, String> FIELDS = Map.of("f", "v");

  private static QueueWorker start(
      RuntimeState state, QueueWorkerOptions options, Function<QueueMessage, Future<?>> handler) {
    QueueWorker worker = state.queues().worker(options, handler);
    get(worker.start());
    return worker;
  }

  private static QueueWorkerOptions options(String stream) {
    return new QueueWorkerOptions(stream, GROUP, "w")
        .setBlock(Duration.ofMillis(100))
        .setMinIdle(Duration.ofMillis(500))
        .setReclaimInterval(Duration.ofMillis(20));
  }

  private static Future<Void> done() {
    return Future.succeededFuture();
  }

  private static double messages(MeteredVertx metered, String stream, String outcome) {
    return metered.counter(MESSAGES, "stream", stream, "group", GROUP, "outcome", outcome);
  }

  private static List<Meter> workerMeters(MeteredVertx metered) {
    return metered.meters().stream()
        .filter(meter -> meter.getId().getName().startsWith("runtime_state_worker_"))
        .toList();
  }

  /** Meters are registered in the background. */
  private static void awaitMeters(MeteredVertx metered, int pairs) {
    Await.until(() -> workerMeters(metered).size() == 8 * pairs, "meters of " + pairs + " pairs");
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  void messages_countedByOutcome(Fixture f) {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      RuntimeState state = metered.open(f.options());
      String stream = f.slotKey("s");
      QueueWorker worker =
          start(
              state,
              options(stream).setDeadLetterStream(f.slotKey("dead")).setMaxDeliveries(2),
              message -> message.fields().containsKey("bad") ? Future.failedFuture("no") : done());
      awaitMeters(metered, 1);
      get(state.queues().append(stream, FIELDS));
      get(state.queues().append(stream, FIELDS));
      get(state.queues().append(stream, Map.of("bad", "")));
      Await.until(() -> worker.status().deadLettered() == 1, "archived");
      Await.until(() -> worker.status().handled() == 2, "handled");
      assertThat(messages(metered, stream, "handled")).isEqualTo(2);
      assertThat(messages(metered, stream, "failed")).isEqualTo(2);
      assertThat(messages(metered, stream, "reclaimed"))
          .isEqualTo(worker.status().reclaimed())
          .isPositive();
      assertThat(messages(metered, stream, "dead_lettered")).isEqualTo(1);
      assertThat(messages(metered, stream, "lost")).isZero();
      assertThat(messages(metered, stream, "vanished")).isZero();
      get(state.queues().removeGroup(stream, GROUP));
      Await.until(() -> worker.status().groupRecreated() == 1, "made again");
      assertThat(metered.counter(RECREATED, "stream", stream, "group", GROUP)).isEqualTo(1);
      get(state.close());
      assertThat(metered.meters()).isEmpty();
    }
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  void messages_lost(Fixture f) {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      RuntimeState state = metered.open(f.options());
      String stream = f.slotKey("s");
      Promise<Void> hold = Promise.promise();
      QueueWorker worker = start(state, options(stream), message -> hold.future());
      awaitMeters(metered, 1);
      String id = get(state.queues().append(stream, FIELDS));
      Await.until(() -> worker.status().inFlight() == 1, "runs");
      Await.until(
          () -> metered.gauge(IN_FLIGHT, "stream", stream, "group", GROUP) == 1, "is shown");
      get(state.queues().ackAndDelete(stream, GROUP, List.of(id)));
      hold.complete();
      Await.until(() -> worker.status().lost() == 1, "ended");
      assertThat(metered.gauge(IN_FLIGHT, "stream", stream, "group", GROUP)).isZero();
      assertThat(messages(metered, stream, "lost")).isEqualTo(1);
      assertThat(messages(metered, stream, "handled")).isZero();
      get(state.close());
    }
  }

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  void workers_ofAGroupAreSummedAndTheirCountsStay(Fixture f) {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      RuntimeState state = metered.open(f.options());
      String stream = f.slotKey("s");
      QueueWorker first = start(state, options(stream), message -> done());
      awaitMeters(metered, 1);
      get(state.queues().append(stream, FIELDS));
      Await.until(() -> first.status().handled() == 1, "handled");
      get(first.close());
      QueueWorker second = start(state, options(stream).setConsumer("w2"), message -> done());
      get(state.queues().append(stream, FIELDS));
      Await.until(() -> messages(metered, stream, "handled") == 2, "both are counted");
      get(second.close());
      assertThat(workerMeters(metered)).hasSize(8);
      Await.until(() -> messages(metered, stream, "handled") == 2, "counts never fall");
      get(state.close());
      assertThat(metered.meters()).isEmpty();
    }
  }

  @Test
  void names_bounded() {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      RuntimeState state = metered.open(new RuntimeStateOptions());
      int without = metered.meters().size();
      start(state, options("s".repeat(WorkerMeters.MAX_CHARS + 1)), message -> done());
      awaitMeters(metered, 1);
      for (int i = 0; i < WorkerMeters.MAX_NAMED + 50; i++) {
        start(state, options("stream-" + i), message -> done());
      }
      get(state.queues().append("stream-" + (WorkerMeters.MAX_NAMED + 10), FIELDS));
      Await.until(() -> otherHandled(metered) == 1, "counted among the others");
      awaitMeters(metered, WorkerMeters.MAX_NAMED);
      assertThat(metered.meters()).hasSize(without + 8 * WorkerMeters.MAX_NAMED);
      get(state.close());
      assertThat(metered.meters()).isEmpty();
    }
  }

  private static double otherHandled(MeteredVertx metered) {
    String other = WorkerMeters.OTHER;
    return metered.counter(MESSAGES, "stream", other, "group", other, "outcome", "handled");
  }

  /** The work is done where the worker is, so it is counted there and not where it is served. */
  @Test
  void worker_ofAClient() {
    try (MeteredVertx metered = new MeteredVertx(new SimpleMeterRegistry())) {
      RuntimeStateOptions options = new RuntimeStateOptions();
      options.getEventBus().setExpose(true);
      metered.open(options);
      RuntimeState client = get(RuntimeState.connect(metered.vertx(), "runtime-state"));
      start(client, options("s"), message -> done());
      get(client.queues().append("s", FIELDS));
      awaitMeters(metered, 1);
      Await.until(() -> messages(metered, "s", "handled") == 1, "counted once");
      get(client.close());
      assertThat(workerMeters(metered)).isEmpty();
    }
  }
}
