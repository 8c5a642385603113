package io.runtimestate.contract;

import static io.runtimestate.contract.TestQueue.fields;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Queues;
import io.runtimestate.RuntimeState;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.PendingEntry;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.support.Await;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.runtimestate.worker.QueueMessage;
import io.runtimestate.worker.QueueWorker;
import io.runtimestate.worker.QueueWorkerOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;

/** The worker, through every door. */
class QueueWorkerContractTest {

  private static QueueWorkerOptions options(TestQueue queue, String consumer) {
    return new QueueWorkerOptions(queue.stream(), queue.group(), consumer)
        .setBlock(ms(200))
        .setMinIdle(ms(100))
        .setReclaimInterval(ms(40));
  }

  private static QueueWorker start(
      TestQueue queue, QueueWorkerOptions options, Function<QueueMessage, Future<?>> handler) {
    QueueWorker worker = queue.queues().worker(options, handler);
    get(worker.start());
    return worker;
  }

  private static Future<Void> done() {
    return Future.succeededFuture();
  }

  private static Future<Void> failed(String reason) {
    return Future.failedFuture(new IllegalStateException(reason));
  }

  @EachBackend
  @DisplayName("C351 every entry is handled once, no more than concurrency at a time")
  void worker_handlesAll(Fixture f) {
    for (boolean delete : new boolean[] {true, false}) {
      TestQueue queue = TestQueue.of(f, "delete-" + delete);
      queue.append(100);
      Queue<String> handled = new ConcurrentLinkedQueue<>();
      AtomicInteger atOnce = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      QueueWorker worker =
          start(
              queue,
              options(queue, "w").setConcurrency(4).setDeleteAfterAck(delete),
              message -> {
                handled.add(message.fields().get("f"));
                most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                return f.vertx().timer(2).onComplete(end -> atOnce.decrementAndGet());
              });
      Await.until(() -> worker.status().handled() == 100, "all handled");
      assertThat(handled).hasSize(100).doesNotHaveDuplicates();
      assertThat(most.get()).isEqualTo(4);
      assertThat(queue.stats().pending()).isZero();
      assertThat(queue.stats().length()).isEqualTo(delete ? 0 : 100);
      get(worker.close());
      assertThat(get(queue.queues().groups(queue.stream())).get(0).consumers()).isEmpty();
    }
  }

  @EachBackend
  @DisplayName("9.19.1 handlers run on the context of start; messages are not shown as texts")
  void worker_onItsContext(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    Context context = f.vertx().getOrCreateContext();
    Promise<Context> seen = Promise.promise();
    QueueWorker worker =
        queue
            .queues()
            .worker(
                options(queue, "w"),
                message -> {
                  seen.tryComplete(Vertx.currentContext());
                  assertThat(message).hasToString("QueueMessage");
                  return done();
                });
    context.runOnContext(start -> worker.start());
    queue.append();
    assertThat(get(seen.future())).isSameAs(context);
    Await.until(() -> worker.status().handled() == 1, "handled");
    assertThat(worker.isRunning()).isTrue();
    get(worker.close());
    assertThat(worker.isRunning()).isFalse();
    assertThat(Fails.failure(worker.start()).code()).isEqualTo(FailureCode.CLOSED);
  }

  @EachBackend
  @DisplayName("C352 L27 a failed message comes again after growing pauses, by the same worker")
  void worker_retries(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<Long> counts = new ArrayList<>();
    List<Long> times = new ArrayList<>();
    QueueWorker worker =
        start(
            queue,
            options(queue, "w"),
            message -> {
              counts.add(message.deliveryCount());
              times.add(System.nanoTime());
              return counts.size() < 3 ? failed("not yet") : done();
            });
    queue.append();
    Await.until(() -> worker.status().handled() == 1, "handled");
    assertThat(counts).containsExactly(1L, 2L, 3L);
    assertThat(millis(times.get(1) - times.get(0))).isBetween(99L, 1_000L);
    assertThat(millis(times.get(2) - times.get(1))).isBetween(199L, 2_000L);
    assertThat(worker.status().failed()).isEqualTo(2);
    assertThat(worker.status().lastError().orElseThrow()).contains("not yet");
    assertThat(queue.stats().pending()).isZero();
    get(worker.close());
  }

  @EachBackend
  @DisplayName("C354 what was delivered too often without an end is archived unseen")
  void worker_archivesExhausted(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    String id = queue.append("payload");
    queue.read("gone", 1);
    f.pass(ms(5));
    queue.claim("gone", 1);
    f.pass(ms(110));
    AtomicInteger calls = new AtomicInteger();
    QueueWorker worker =
        start(
            queue,
            options(queue, "w").setDeadLetterStream(f.slotKey("dead")).setMaxDeliveries(2),
            message -> {
              calls.incrementAndGet();
              return done();
            });
    Await.until(() -> worker.status().deadLettered() == 1, "archived");
    assertThat(calls).hasValue(0);
    Map<String, String> letter = TestQueue.of(f, "dead").read("c", 10).get(0).fields();
    assertThat(letter)
        .containsEntry("source", queue.stream())
        .containsEntry("group", queue.group())
        .containsEntry("id", id)
        .containsEntry("deliveries", "2")
        .containsEntry("error", "deliveries exhausted")
        .containsEntry("field.f", "payload")
        .hasSize(6);
    assertThat(queue.stats().pending() + queue.stats().length()).isZero();
    get(worker.close());
  }

  @EachBackend
  @DisplayName("C355 a failure affects only its own message, however it fails")
  void worker_failureIsLocal(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<Function<QueueMessage, Future<?>>> ways =
        List.of(
            message -> failed("failed"),
            message -> {
              throw new IllegalArgumentException("thrown");
            },
            message -> {
              throw new StackOverflowError();
            },
            message -> null,
            message -> Promise.promise().future());
    Queue<String> handled = new ConcurrentLinkedQueue<>();
    QueueWorker worker =
        start(
            queue,
            options(queue, "w").setMinIdle(seconds(60)).setHandlerTimeout(ms(50)),
            message -> {
              int way = Integer.parseInt(message.fields().get("f"));
              if (way < ways.size()) {
                return ways.get(way).apply(message);
              }
              handled.add(message.id());
              return done();
            });
    queue.append(10);
    Await.until(() -> worker.status().handled() == 5, "others handled");
    Await.until(() -> worker.status().failed() == 5, "all failures seen");
    assertThat(handled).hasSize(5);
    assertThat(queue.stats().pending()).isEqualTo(5);
    get(worker.close());
    assertThat(queue.stats().pending()).isEqualTo(5);
  }

  @EachBackend
  @DisplayName("C356 a handler slower than minIdle keeps its entry")
  void worker_keepsWhatItHandles(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    Queue<String> handled = new ConcurrentLinkedQueue<>();
    Function<QueueMessage, Future<?>> slow =
        message -> {
          handled.add(message.id());
          return f.vertx().timer(1_500);
        };
    QueueWorker one = start(queue, keeping(queue, "w1"), slow);
    QueueWorker two = start(queue, keeping(queue, "w2"), slow);
    queue.append(4);
    Await.until(() -> one.status().handled() + two.status().handled() == 4, "handled");
    assertThat(handled).hasSize(4).doesNotHaveDuplicates();
    assertThat(one.status().lost() + two.status().lost()).isZero();
    get(one.close());
    get(two.close());
  }

  /** A busy machine may hold a heartbeat up for longer than a tenth of a second. */
  private static QueueWorkerOptions keeping(TestQueue queue, String consumer) {
    return options(queue, consumer).setMinIdle(ms(400)).setConcurrency(2);
  }

  @EachBackend
  @DisplayName("C357 D09 L17 a group that has gone is made again, and nothing is skipped")
  void worker_recreatesItsGroup(Fixture f) {
    TestQueue queue = TestQueue.of(f, "s");
    RuntimeState state = f.state();
    Queue<String> handled = new ConcurrentLinkedQueue<>();
    Queue<Throwable> heard = new ConcurrentLinkedQueue<>();
    QueueWorker worker =
        queue
            .queues()
            .worker(
                options(queue, "w"),
                message -> {
                  handled.add(message.fields().get("f"));
                  return done();
                });
    worker.exceptionHandler(heard::add);
    get(worker.start());
    f.pass(ms(50));
    get(state.keys().delete(queue.stream()));
    queue.append("m1");
    queue.append("m2");
    Await.until(() -> worker.status().handled() == 2, "handled");
    assertThat(handled).containsExactly("m1", "m2");
    assertThat(worker.status().groupRecreated()).isEqualTo(1);
    assertThat(heard).hasSize(1);
    assertThat(((RuntimeStateException) heard.peek()).code())
        .isIn(FailureCode.NO_SUCH_STREAM, FailureCode.NO_SUCH_GROUP);
    get(queue.queues().removeGroup(queue.stream(), queue.group()));
    queue.append("m3");
    Await.until(() -> worker.status().handled() == 3, "handled again");
    assertThat(worker.status().groupRecreated()).isEqualTo(2);
    get(worker.close());
  }

  @EachBackend
  @DisplayName("C357 reads of a group that is gone for long stay rare")
  void worker_readsRarely(Fixture f) {
    RuntimeState state = f.open(f.options());
    TestQueue queue = new TestQueue(state.queues(), f.slotKey("s"), "g");
    QueueWorker worker = start(queue, options(queue, "w"), message -> done());
    get(state.keys().delete(queue.stream()));
    get(state.kv().set(queue.stream(), "in the way"));
    f.pass(ms(1_500));
    assertThat(get(state.statistics()).operations().get("queue.read").count()).isLessThan(30);
    get(state.keys().delete(queue.stream()));
    queue.append();
    Await.until(() -> worker.status().handled() == 1, "handled");
    get(worker.close());
    get(state.keys().delete(queue.stream()));
  }

  @EachBackend
  @DisplayName("C358 close ends a long blocked read; later entries go to others")
  void close_endsRead(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    QueueWorker worker = start(queue, options(queue, "w").setBlock(seconds(30)), message -> done());
    f.pass(ms(100));
    long before = System.nanoTime();
    get(worker.close());
    assertThat(millis(System.nanoTime() - before)).isLessThan(1_000);
    assertThat(worker.isRunning()).isFalse();
    get(worker.close());
    String id = queue.append();
    if (f.kind() != io.runtimestate.support.DoorKind.BUS) {
      assertThat(TestQueue.ids(queue.read("other", 10))).containsExactly(id);
    }
    get(f.state().keys().delete(queue.stream()));
  }

  @EachBackend
  @DisplayName("C359 close waits for running handlers and their acknowledgements, but not for ever")
  void close_drains(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    Promise<Void> first = Promise.promise();
    QueueWorker worker =
        start(
            queue,
            options(queue, "w").setConcurrency(2).setDrainTimeout(seconds(1)),
            message ->
                message.fields().get("f").equals("ends") ? first.future() : Future.future(p -> {}));
    queue.append("ends");
    String stays = queue.append("stays");
    Await.until(() -> worker.status().inFlight() == 2, "both run");
    long before = System.nanoTime();
    Future<Void> closed = worker.close();
    f.pass(ms(200));
    assertThat(closed.isComplete()).isFalse();
    first.complete();
    get(closed);
    assertThat(millis(System.nanoTime() - before)).isBetween(980L, 2_000L);
    assertThat(queue.pending()).extracting(PendingEntry::id).containsExactly(stays);
    assertThat(worker.status().handled()).isEqualTo(1);
  }

  @EachBackend
  @DisplayName("C360 L15 what was received and not started is given back uncounted")
  void close_givesBack(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    queue.append(2);
    queue.read("gone", 2);
    get(queue.queues().nack(queue.stream(), queue.group(), "gone", all(queue), false));
    Promise<Void> hold = Promise.promise();
    QueueWorkerOptions strict =
        options(queue, "w1").setDeadLetterStream(f.slotKey("dead")).setMaxDeliveries(1);
    QueueWorker first =
        start(queue, strict.setConcurrency(1).setBatch(5), message -> hold.future());
    Await.until(() -> first.status().inFlight() == 1, "one runs");
    queue.append(1);
    f.pass(ms(50));
    Future<Void> closed = first.close();
    hold.complete();
    get(closed);
    QueueWorker second =
        start(queue, new QueueWorkerOptions(strict).setConsumer("w2"), message -> done());
    Await.until(() -> first.status().handled() + second.status().handled() == 3, "all are handled");
    assertThat(second.status().deadLettered()).isZero();
    assertThat(get(f.state().keys().exists(f.slotKey("dead")))).isFalse();
    get(second.close());
  }

  private static List<String> all(TestQueue queue) {
    return queue.pending().stream().map(PendingEntry::id).toList();
  }

  @EachBackend
  @DisplayName("C361 the place of the search is kept, so stale entries behind fresh ones are found")
  void worker_findsStaleBehindFresh(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<String> ids = queue.append(28);
    queue.read("other", 28);
    List<String> stale = ids.subList(25, 28);
    get(queue.queues().nack(queue.stream(), queue.group(), "other", stale));
    QueueWorker worker =
        start(
            queue,
            options(queue, "w").setMinIdle(seconds(60)).setReclaimInterval(ms(30)).setBatch(2),
            message -> done());
    Await.until(() -> worker.status().handled() == 3, "stale ones handled");
    assertThat(worker.status().reclaimed()).isEqualTo(3);
    assertThat(queue.stats().pending()).isEqualTo(25);
    get(worker.close());
  }

  @EachBackend
  @DisplayName("C363 consumers that are idle for long are removed, unless something is pending")
  void worker_removesLeftOvers(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    queue.append(3);
    queue.ack(TestQueue.ids(queue.read("done1", 1)));
    queue.ack(TestQueue.ids(queue.read("done2", 1)));
    queue.read("holds", 1);
    QueueWorker worker =
        start(
            queue,
            options(queue, "w").setMinIdle(ms(600)).setConsumerTtl(ms(200)),
            message -> done());
    Await.until(
        () -> get(queue.queues().groups(queue.stream())).get(0).consumers().size() == 1,
        "others removed");
    assertThat(get(queue.queues().groups(queue.stream())).get(0).consumers().get(0).name())
        .isIn("holds", "w");
    Await.until(() -> worker.status().handled() == 1, "the pending one is reclaimed");
    get(worker.close());
  }

  @EachBackend
  @DisplayName("C364 dead letters move back to their sources, once each")
  void redrive_movesBack(Fixture f) {
    Queues queues = f.state().queues();
    TestQueue a = TestQueue.of(f, "a");
    TestQueue b = TestQueue.of(f, "b");
    String dead = f.slotKey("dead");
    archive(f, a, dead, 2);
    archive(f, b, dead, 1);
    assertThat(get(queues.redrive(dead, 2))).isEqualTo(2);
    assertThat(get(queues.redrive(dead, 5))).isEqualTo(1);
    assertThat(get(queues.redrive(dead, 5))).isZero();
    assertThat(get(queues.stats(dead)).length()).isZero();
    assertThat(a.read("c", 10))
        .extracting(QueueEntry::fields)
        .containsExactly(fields("0"), fields("1"));
    List<QueueEntry> back = b.read("c", 10);
    assertThat(back).extracting(QueueEntry::fields).containsExactly(fields("0"));
    b.ack(TestQueue.ids(back)); // or it would be archived once more
    archive(f, b, dead, 40);
    Future<Long> one = queues.redrive(dead, 100);
    Future<Long> two = f.second().queues().redrive(dead, 100);
    long moved = get(one) + get(two);
    assertThat(moved + get(queues.redrive(dead, 100))).isEqualTo(40);
    assertThat(b.read("c", 100)).hasSize(40);
    assertThat(get(queues.stats(dead)).length()).isZero();
  }

  private static void archive(Fixture f, TestQueue queue, String dead, int count) {
    queue.append(count);
    QueueWorker worker =
        start(
            queue,
            options(queue, "w").setDeadLetterStream(dead).setMaxDeliveries(1),
            message -> failed("never"));
    Await.until(() -> worker.status().deadLettered() == count, "archived");
    get(worker.close());
  }

  @EachBackend
  @DisplayName("9.19.8 what is no dead letter stays where it is")
  void redrive_foreign(Fixture f) {
    Queues queues = f.state().queues();
    String dead = f.slotKey("dead");
    get(queues.append(dead, fields("foreign")));
    get(queues.append(dead, Map.of("source", dead, "field.x", "y")));
    get(queues.append(dead, Map.of("source", f.slotKey("s"))));
    assertThat(get(queues.redrive(dead, 10))).isZero();
    assertThat(get(queues.stats(dead)).length()).isEqualTo(3);
    Fails.assertInvalid(queues.redrive(dead, 0));
    Fails.assertInvalid(queues.redrive(" ", 1));
  }

  @EachBackend
  @DisplayName("L13 a message that always fails is handled n times and archived once")
  void worker_archivesAfterN(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    List<Long> counts = new ArrayList<>();
    QueueWorker worker =
        start(
            queue,
            options(queue, "w")
                .setMinIdle(ms(30))
                .setDeadLetterStream(f.slotKey("dead"))
                .setMaxDeliveries(5)
                .setRetryDelayMax(ms(60)),
            message -> {
              counts.add(message.deliveryCount());
              throw new IllegalStateException("always");
            });
    String id = queue.append("payload");
    Await.until(() -> worker.status().deadLettered() == 1, "archived");
    f.pass(ms(150));
    assertThat(counts).containsExactly(1L, 2L, 3L, 4L, 5L);
    Map<String, String> letter = TestQueue.of(f, "dead").read("c", 10).get(0).fields();
    assertThat(letter)
        .containsEntry("id", id)
        .containsEntry("deliveries", "5")
        .containsEntry("error", "java.lang.IllegalStateException: always");
    assertThat(queue.stats().pending()).isZero();
    get(worker.close());
  }

  @EachBackend
  @DisplayName("9.19.5 a dead-letter stream that cannot take it: reported, and tried again")
  void worker_archivesAfterRepair(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    Queue<Throwable> heard = new ConcurrentLinkedQueue<>();
    AtomicInteger calls = new AtomicInteger();
    get(f.state().kv().set(f.slotKey("dead"), "in the way"));
    QueueWorker worker =
        queue
            .queues()
            .worker(
                options(queue, "w").setDeadLetterStream(f.slotKey("dead")).setMaxDeliveries(1),
                message -> {
                  calls.incrementAndGet();
                  return failed("never");
                });
    worker.exceptionHandler(heard::add);
    get(worker.start());
    queue.append("v");
    Await.until(() -> !heard.isEmpty(), "reported");
    get(f.state().keys().delete(f.slotKey("dead")));
    Await.until(() -> worker.status().deadLettered() == 1, "archived");
    assertThat(calls).hasValue(1);
    get(worker.close());
  }

  @EachBackend
  @DisplayName("9.19.1 start fails CROSS_SLOT if dead letters could not move")
  void start_needsOneSlot(Fixture f) {
    RuntimeState state = f.open(f.options().setEnforceSlots(true));
    TestQueue queue = new TestQueue(state.queues(), f.key("{a}s"), "g");
    QueueWorker worker =
        queue
            .queues()
            .worker(options(queue, "w").setDeadLetterStream(f.key("{b}dead")), message -> done());
    Fails.assertFails(worker.start(), FailureCode.CROSS_SLOT);
    assertThat(worker.isRunning()).isFalse();
    get(worker.close());
    get(state.keys().delete(queue.stream()));
  }

  @EachBackend
  @DisplayName("13.2 closing the runtime closes its workers first")
  void runtime_closesWorkers(Fixture f) {
    RuntimeState state = f.open(f.options());
    TestQueue queue = new TestQueue(state.queues(), f.slotKey("s"), "g");
    Promise<Void> hold = Promise.promise();
    QueueWorker worker =
        start(
            queue,
            options(queue, "w").setBlock(seconds(30)).setDrainTimeout(seconds(3)),
            message -> hold.future());
    queue.append();
    Await.until(() -> worker.status().inFlight() == 1, "runs");
    Future<Void> closed = state.close();
    f.pass(ms(100));
    hold.complete();
    get(closed);
    assertThat(worker.status().handled()).isEqualTo(1);
    assertThat(worker.isRunning()).isFalse();
    QueueWorker late = queue.queues().worker(options(queue, "w"), message -> done());
    assertThat(Fails.failure(late.start()).code()).isEqualTo(FailureCode.CLOSED);
  }

  @EachBackend
  @DisplayName("9.19.8 a stream of messages gives no more than was asked for")
  void stream_demand(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    queue.append(10);
    Queue<QueueMessage> seen = new ConcurrentLinkedQueue<>();
    Promise<Void> ended = Promise.promise();
    var stream = queue.queues().messages(options(queue, "w").setConcurrency(5));
    stream.handler(seen::add).endHandler(end -> ended.complete()).pause();
    get(stream.start());
    f.pass(ms(60));
    assertThat(seen).isEmpty();
    stream.fetch(2);
    Await.until(() -> seen.size() == 2, "two");
    f.pass(ms(60));
    assertThat(seen).hasSize(2);
    seen.remove().ack();
    seen.remove().fail(new IllegalStateException("later"));
    stream.resume();
    Await.until(
        () -> {
          for (QueueMessage next = seen.poll(); next != null; next = seen.poll()) {
            next.ack();
          }
          return stream.status().handled() == 10;
        },
        "all, the failed one again");
    assertThat(stream.status().failed()).isEqualTo(1);
    get(stream.close());
    get(ended.future());
    assertThat(queue.stats().length()).isZero();
  }

  @EachBackend
  @DisplayName("L09 consumers that come and go while others tidy up lose nothing")
  void consumers_comeAndGo(Fixture f) {
    TestQueue queue = TestQueue.open(f);
    int messages = 2_000;
    Queue<String> handled = new ConcurrentLinkedQueue<>();
    Function<QueueMessage, Future<?>> handler =
        message -> {
          handled.add(message.id());
          return done();
        };
    QueueWorkerOptions tidy =
        options(queue, "tidy").setConsumerTtl(ms(1)).setReclaimInterval(ms(5)).setConcurrency(4);
    QueueWorker stays = start(queue, tidy, handler);
    List<String> ids = new ArrayList<>();
    for (int round = 0; round < 10; round++) {
      QueueWorker comes =
          start(queue, new QueueWorkerOptions(tidy).setConsumer("c" + round % 3), handler);
      ids.addAll(queue.append(messages / 10));
      f.pass(ms(10));
      get(comes.close());
    }
    Await.until(() -> queue.stats().length() == 0, "all handled and deleted");
    assertThat(handled).containsAll(ids);
    get(stays.close());
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
