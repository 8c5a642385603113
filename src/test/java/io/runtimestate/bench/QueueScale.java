package io.runtimestate.bench;

import io.runtimestate.Queues;
import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.QueueEntry;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Three streams with so many entries: one without a group, one of which nothing has been read, and
 * one of which everything is pending.
 */
final class QueueScale implements ScaleFamily {
  private static final String PLAIN = "plain";
  private static final String UNREAD = "unread";
  private static final String PENDING = "pending";
  private static final String DEAD = "dead";
  private static final String GROUP = "workers";
  private static final String ONE = "worker-1";
  private static final int SOME = 10;
  private static final int MOST_READ = 10_000;
  private static final Map<String, String> FIELDS = Map.of("job", Stage.VALUE);
  private static final List<Map<String, String>> SOME_ENTRIES = Collections.nCopies(SOME, FIELDS);

  @Override
  public List<ScaleOperation<?, ?>> fill(ScaleWorld world) throws Exception {
    Streams streams = new Streams(world);
    streams.fill();
    List<ScaleOperation<?, ?>> all = new ArrayList<>(streams.appends());
    all.addAll(streams.deliveries());
    all.addAll(streams.looks());
    all.addAll(streams.removals());
    return all;
  }

  private static final class Streams {
    private final ScaleWorld world;
    private final Queues queues;
    private final List<String> pending = new ArrayList<>();

    Streams(ScaleWorld world) {
      this.world = world;
      this.queues = world.state().queues();
    }

    void fill() throws Exception {
      for (String stream : List.of(PLAIN, UNREAD, PENDING)) {
        world.fill(name -> queues.append(stream, FIELDS));
      }
      Stage.on(world.owner(), () -> queues.ensureGroup(UNREAD, GROUP));
      Stage.on(world.owner(), () -> queues.ensureGroup(PENDING, GROUP));
      Chain.on(
          world.owner(),
          1 + world.size() / MOST_READ,
          i -> read(GROUP, MOST_READ).onSuccess(ids -> pending.addAll(ids)));
    }

    private Future<List<String>> read(String group, int count) {
      return queues
          .read(PENDING, group, ONE, count)
          .map(entries -> entries.stream().map(QueueEntry::id).toList());
    }

    private String somePending(long number) {
      return pending.get(world.index(number));
    }

    /** Puts a new entry into the place of one that is gone. */
    private Future<?> replace(int index) {
      return queues
          .append(PENDING, FIELDS)
          .compose(id -> read(GROUP, 1))
          .onSuccess(ids -> pending.set(index, ids.get(0)));
    }

    List<ScaleOperation<?, ?>> appends() {
      return List.of(
          ScaleOperation.of("queue.append", "log n", n -> FIELDS, f -> queues.append(PLAIN, f))
              .undo((fields, id) -> queues.delete(PLAIN, List.of(id))),
          ScaleOperation.of(
              "queue.append to a full stream",
              "log n",
              n -> FIELDS,
              fields -> queues.append(PLAIN, fields, world.size())),
          ScaleOperation.of(
                  "queue.appendAll of 10",
                  "k log n",
                  n -> SOME_ENTRIES,
                  entries -> queues.appendAll(PLAIN, entries))
              .undo((entries, ids) -> queues.delete(PLAIN, ids)));
    }

    List<ScaleOperation<?, ?>> deliveries() {
      return List.of(
          ScaleOperation.<String, List<QueueEntry>>of(
                  "queue.read of 10",
                  "log n + k",
                  n -> UNREAD,
                  stream -> queues.read(stream, GROUP, ONE, SOME))
              .undo((stream, entries) -> readAgain(entries)),
          ScaleOperation.of(
                  "queue.ack",
                  "log p",
                  world::index,
                  i -> queues.ack(PENDING, GROUP, List.of(pending.get(i))))
              .undo((i, done) -> forget(i).compose(gone -> replace(i))),
          ScaleOperation.of(
                  "queue.ackAndDelete",
                  "log n + log p",
                  world::index,
                  i -> queues.ackAndDelete(PENDING, GROUP, List.of(pending.get(i))))
              .undo((i, done) -> replace(i)),
          ScaleOperation.of(
              "queue.extend",
              "log p",
              this::somePending,
              id -> queues.extend(PENDING, GROUP, ONE, List.of(id))),
          ScaleOperation.of(
                  "queue.nack",
                  "log p",
                  this::somePending,
                  id -> queues.nack(PENDING, GROUP, ONE, List.of(id)))
              .undo((id, done) -> queues.extend(PENDING, GROUP, ONE, List.of(id))),
          ScaleOperation.<String, ClaimPage>of(
                  "queue.claim of 10",
                  "log p + examined",
                  this::somePending,
                  id -> queues.claim(PENDING, GROUP, ONE, Duration.ofMillis(1), id, SOME))
              .undo((id, page) -> giveBack(page)),
          ScaleOperation.of(
                  "queue.transfer",
                  "log n + log p",
                  world::index,
                  i -> queues.transfer(PENDING, GROUP, pending.get(i), DEAD, FIELDS, 1_000, null))
              .undo((i, done) -> replace(i)));
    }

    private Future<?> forget(int index) {
      return queues.delete(PENDING, List.of(pending.get(index)));
    }

    private Future<?> readAgain(List<QueueEntry> entries) {
      List<String> ids = entries.stream().map(QueueEntry::id).toList();
      return queues
          .ackAndDelete(UNREAD, GROUP, ids)
          .compose(gone -> queues.appendAll(UNREAD, SOME_ENTRIES));
    }

    /** So that the next claim finds them idle. */
    private Future<?> giveBack(ClaimPage page) {
      return queues.nack(PENDING, GROUP, ONE, page.entries().stream().map(QueueEntry::id).toList());
    }

    List<ScaleOperation<?, ?>> looks() {
      return List.of(
          ScaleOperation.of(
              "queue.pending, a page of 10 somewhere",
              "log p + k",
              this::somePending,
              id -> queues.pending(PENDING, GROUP, id, SOME, null)),
          ScaleOperation.of(
              "queue.stats, nothing read",
              "log n + at most 1,000",
              n -> UNREAD,
              stream -> queues.stats(stream, GROUP)),
          ScaleOperation.of(
              "queue.stats, all pending",
              "log n + at most 1,000",
              n -> PENDING,
              stream -> queues.stats(stream, GROUP)),
          ScaleOperation.of(
              "queue.groups", "groups + consumers", n -> PENDING, stream -> queues.groups(stream)));
    }

    List<ScaleOperation<?, ?>> removals() {
      return List.of(
          ScaleOperation.of(
                  "queue.delete of a pending entry",
                  "log n + groups log p",
                  world::index,
                  i -> queues.delete(PENDING, List.of(pending.get(i))))
              .undo((i, done) -> replace(i)),
          ScaleOperation.prepared(
              "queue.trim of 1",
              "removed",
              n -> queues.append(PLAIN, FIELDS).map(id -> lengthAfter(n)),
              length -> queues.trim(PLAIN, length)),
          ScaleOperation.prepared(
                  "queue.removeConsumer with all pending", "p", n -> another(), this::leave)
              .undo((group, gone) -> queues.removeGroup(PENDING, group))
              .oneAtATime(),
          ScaleOperation.prepared(
                  "queue.removeGroup with all pending",
                  "p",
                  n -> another(),
                  group -> queues.removeGroup(PENDING, group))
              .oneAtATime());
    }

    private long lengthAfter(long number) {
      return world.size() + ScaleContender.BATCH - 1 - number % ScaleContender.BATCH;
    }

    private Future<?> leave(String group) {
      return queues.removeConsumer(PENDING, group, ONE, true);
    }

    /** Another group that has read everything. */
    private Future<String> another() {
      Future<?> ready = queues.ensureGroup(PENDING, "others");
      for (int i = 0; i <= world.size() / MOST_READ; i++) {
        ready = ready.compose(more -> read("others", MOST_READ));
      }
      return ready.map("others");
    }
  }
}
