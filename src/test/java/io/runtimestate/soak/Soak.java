package io.runtimestate.soak;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Queues;
import io.runtimestate.data.ConsumerInfo;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.StreamStats;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Lets messages flow while processes crash, connections break and the server restarts. */
final class Soak {
  private static final int PROCESSES = 4;
  private static final int AHEAD = 3;
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);
  private static final String EXHAUSTED = "deliveries exhausted";
  private static final String POISONED = "java.lang.IllegalStateException: poison";

  /** Where the messages are, who gets them, and where they end that nobody can handle. */
  record Streams(String work, String group, String dead) {}

  /** What may happen. */
  private enum Event {
    CRASH,
    CUT,
    STOP,
    RESTART,
    SAMPLE
  }

  private static final List<Event> DECK =
      List.of(
          Event.CRASH,
          Event.CRASH,
          Event.CRASH,
          Event.CUT,
          Event.CUT,
          Event.CUT,
          Event.CUT,
          Event.STOP,
          Event.RESTART,
          Event.SAMPLE,
          Event.SAMPLE,
          Event.SAMPLE);

  private final SoakStore store;
  private final CallGate gate;
  private final Random random;
  private final long seed;
  private final Streams streams = new Streams("{soak}work", "workers", "{soak}dead");
  private final Ledger ledger;
  private final Audit audit;
  private final SoakStore.Access producing;
  private final List<SoakProcess> processes = new ArrayList<>();
  private final int[] happened = new int[Event.values().length];
  private final int stride;
  private int played;
  private int names;

  /**
   * @param perEvent about how many messages are appended between two events
   */
  Soak(SoakStore store, CallGate gate, long seed, int messages, int perEvent) {
    this.store = store;
    this.gate = gate;
    this.seed = seed;
    this.random = new Random(seed);
    this.ledger = new Ledger(seed, messages);
    this.stride = perEvent;
    get(store.audit().queues().ensureGroup(streams.work, streams.group));
    this.audit = new Audit(store, streams, ledger);
    this.producing = store.open();
  }

  /** Runs it to the end; fails at the first sample that shows something wrong. */
  void run() {
    for (int i = 0; i < PROCESSES; i++) {
      processes.add(begun("w" + names++));
    }
    Vertx vertx = Vertx.vertx();
    SoakProducer producer =
        new SoakProducer(
            ledger, producing.state().queues(), streams.work, seed, vertx.getOrCreateContext());
    Future<Void> produced = producer.start();
    while (!produced.isComplete()) {
      playDeck(producer, produced);
    }
    get(produced);
    get(vertx.close());
    finish();
  }

  private SoakProcess begun(String consumer) {
    return new SoakProcess(ledger, store.open(), streams, consumer).start();
  }

  /** Messages are always on their way when something happens. */
  private void playDeck(SoakProducer producer, Future<Void> produced) {
    List<Event> deck = new ArrayList<>(DECK);
    Collections.shuffle(deck, random);
    for (Event event : deck) {
      played++;
      producer.allow((played + AHEAD) * stride);
      int target = ledger.countSucceeded() + stride / 2;
      Await.until(
          () -> produced.isComplete() || ledger.countSucceeded() >= target,
          LONGEST_SILENCE,
          "messages are handled: " + figures());
      if (play(event)) {
        happened[event.ordinal()]++;
      }
    }
  }

  private boolean play(Event event) {
    switch (event) {
      case CRASH -> replaceOne(SoakProcess::crash);
      case STOP -> replaceOne(SoakProcess::stop);
      case CUT -> cut();
      case SAMPLE -> sample();
      case RESTART -> {
        return store.restart(random);
      }
    }
    return true;
  }

  /** Another process takes its place, sometimes under its name. */
  private void replaceOne(Consumer<SoakProcess> end) {
    int place = random.nextInt(PROCESSES);
    SoakProcess ending = processes.get(place);
    end.accept(ending);
    processes.set(place, begun(random.nextBoolean() ? ending.consumer() : "w" + names++));
  }

  /** Breaks the connections of a process or of the producer. */
  private void cut() {
    int place = random.nextInt(PROCESSES + 1);
    (place == PROCESSES ? producing : processes.get(place).access()).cut(random);
  }

  private void sample() {
    gate.hold();
    try {
      audit.sample();
    } finally {
      gate.open();
    }
  }

  private void finish() {
    Queues queues = store.audit().queues();
    Await.until(
        () -> get(queues.stats(streams.work, streams.group)).length() == 0,
        LONGEST_SILENCE,
        "every message comes to its end: " + figures());
    sample();
    Set<String> alive = processes.stream().map(SoakProcess::consumer).collect(Collectors.toSet());
    Await.until(() -> alive.containsAll(consumers()), "consumers that died are removed");
    processes.forEach(process -> process.access().heal()); // so that each can remove its consumer
    processes.forEach(SoakProcess::stop);
    producing.close();
    assertThat(consumers()).isEmpty();
    StreamStats stats = get(queues.stats(streams.work, streams.group));
    assertThat(stats.length() + stats.pending() + stats.lag().orElseThrow()).isZero();
    audit.sample();
    requireAllEnded(get(queues.stats(streams.dead)));
  }

  private List<String> consumers() {
    return get(store.audit().queues().groups(streams.work)).get(0).consumers().stream()
        .map(ConsumerInfo::name)
        .toList();
  }

  private void requireAllEnded(StreamStats dead) {
    assertThat(dead.length()).isEqualTo(audit.dead().size());
    ledger.unfinished().stream()
        .forEach(number -> assertThat(audit.dead()).containsKey(ledger.id(number)));
    audit.dead().values().forEach(this::requireReason);
  }

  /** Whoever is dead always failed, or died in the hands of processes that crashed. */
  private void requireReason(QueueEntry letter) {
    boolean poison = ledger.isPoison(Ledger.number(letter.fields()));
    String error = letter.fields().get("error");
    assertThat(error).isIn(poison ? List.of(EXHAUSTED, POISONED) : List.of(EXHAUSTED));
    assertThat(letter.fields()).containsEntry("source", streams.work);
    assertThat(Integer.parseInt(letter.fields().get("deliveries")))
        .isGreaterThanOrEqualTo(Ledger.MAX_DELIVERIES);
  }

  /** What happened, in one line. */
  String figures() {
    return String.format(
        "soak of %s: messages %d (confirmed %d, unsure %d), crashes %d, stops %d, cuts %d,"
            + " restarts %d, redelivered %d, dead-lettered %d (exhausted %d), samples %d, seed %d",
        store.name(),
        ledger.messages(),
        ledger.countAcknowledged(),
        ledger.unsure(),
        count(Event.CRASH),
        count(Event.STOP),
        count(Event.CUT),
        count(Event.RESTART),
        ledger.redelivered(),
        audit.dead().size(),
        exhausted(),
        audit.samples(),
        seed);
  }

  private int count(Event event) {
    return happened[event.ordinal()];
  }

  private long exhausted() {
    return audit.dead().values().stream()
        .filter(letter -> letter.fields().get("error").equals(EXHAUSTED))
        .count();
  }
}
