package io.runtimestate.soak;

import io.runtimestate.worker.QueueMessage;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** What became of every message, known by its number. From any thread. */
final class Ledger {
  /** How often a handler may be called with a message. */
  static final int MAX_DELIVERIES = 4;

  private static final String NUMBER = "n";

  private final long seed;
  private final int messages;
  private final AtomicReferenceArray<String> ids;
  private final AtomicIntegerArray calls;
  private final BitSet acknowledged = new BitSet(); // guarded by this
  private final BitSet succeeded = new BitSet(); // guarded by this
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger unsure = new AtomicInteger();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();

  Ledger(long seed, int messages) {
    this.seed = seed;
    this.messages = messages;
    this.ids = new AtomicReferenceArray<>(messages);
    this.calls = new AtomicIntegerArray(messages);
  }

  int messages() {
    return messages;
  }

  static Map<String, String> fields(int number) {
    return Map.of(NUMBER, Integer.toString(number));
  }

  /** The number in the fields of a message, or in those of its dead letter. */
  static int number(Map<String, String> fields) {
    return Integer.parseInt(fields.getOrDefault(NUMBER, fields.get("field." + NUMBER)));
  }

  /** One in so many, the same ones in every run with this seed. */
  private boolean oneIn(int many, int number, int salt) {
    long mixed = (seed + number) * 0x9E3779B97F4A7C15L + salt;
    return Math.floorMod(mixed ^ (mixed >>> 29), many) == 0;
  }

  boolean isPoison(int number) {
    return oneIn(40, number, 1);
  }

  boolean isSlow(int number) {
    return oneIn(1_500, number, 2);
  }

  private boolean failsFirst(int number) {
    return oneIn(25, number, 3);
  }

  /** The append was confirmed. */
  void appended(int number, String id) {
    isSame(number, id);
    synchronized (this) {
      acknowledged.set(number);
      if (!isPoison(number) && !succeeded.get(number)) {
        open.incrementAndGet();
      }
    }
  }

  /** Nobody knows whether these were appended. */
  void appendedPerhaps(int count) {
    unsure.addAndGet(count);
  }

  /** A handler is called with it; whether it is to succeed. */
  boolean handled(QueueMessage message) {
    int number = number(message.fields());
    isSame(number, message.id());
    int call = calls.incrementAndGet(number);
    if (call > MAX_DELIVERIES) {
      violations.add("handled " + call + " times: " + number);
    }
    return !isPoison(number) && !(call == 1 && failsFirst(number));
  }

  synchronized void succeeded(int number) {
    if (!succeeded.get(number)) {
      succeeded.set(number);
      if (acknowledged.get(number)) {
        open.decrementAndGet();
      }
    }
  }

  /** A message is one entry: it never turns up under another id. */
  private void isSame(int number, String id) {
    if (!ids.compareAndSet(number, null, id) && !ids.get(number).equals(id)) {
      violations.add("two entries of message " + number);
    }
  }

  /** Confirmed messages that may succeed and have not yet. */
  int open() {
    return open.get();
  }

  int unsure() {
    return unsure.get();
  }

  synchronized int countAcknowledged() {
    return acknowledged.cardinality();
  }

  synchronized int countSucceeded() {
    return succeeded.cardinality();
  }

  /** Calls of handlers beyond the first of each message. */
  long redelivered() {
    long redelivered = 0;
    for (int number = 0; number < messages; number++) {
      redelivered += Math.max(0, calls.get(number) - 1);
    }
    return redelivered;
  }

  String id(int number) {
    return ids.get(number);
  }

  /** Copies of what was confirmed and not handled, by number. */
  synchronized BitSet unfinished() {
    BitSet unfinished = (BitSet) acknowledged.clone();
    unfinished.andNot(succeeded);
    return unfinished;
  }

  List<String> violations() {
    return List.copyOf(violations);
  }
}
