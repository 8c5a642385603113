package io.runtimestate.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Exchanges of one turn of the event loop that wait for its end, to be sent together. One command
 * takes as many as keep it short for everybody else who waits for the server.
 */
final class Joining {
  private static final int MOST_EXCHANGES = 64;

  private final Flight waiting = new Flight();
  private boolean bySlot;

  /**
   * @param bySlot whether one command may only have keys of one slot
   */
  Joining(boolean bySlot) {
    this.bySlot = bySlot;
  }

  /** The server turned out to insist on it. */
  void separateSlots() {
    bySlot = true;
  }

  /** Lets it wait; true if it is the first. */
  boolean add(Exchange<?> exchange) {
    boolean first = waiting.isEmpty();
    waiting.add(exchange);
    return first;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  Flight waiting() {
    return waiting;
  }

  /** Takes all out, in the order they came. */
  List<Exchange<?>> takeAll() {
    List<Exchange<?>> all = new ArrayList<>();
    for (Exchange<?> next = waiting.poll(); next != null; next = waiting.poll()) {
      all.add(next);
    }
    return all;
  }

  /** Hands over groups that one command can carry. */
  void group(List<Exchange<?>> all, Consumer<List<Exchange<?>>> send) {
    Map<Integer, Group> open = new HashMap<>();
    for (Exchange<?> exchange : all) {
      int slot = bySlot ? exchange.command().slot() : 0;
      Group group = open.computeIfAbsent(slot, unused -> new Group());
      if (!group.hasRoomFor(exchange)) {
        send.accept(group.members);
        group = new Group();
        open.put(slot, group);
      }
      group.add(exchange);
    }
    open.values().forEach(group -> send.accept(group.members));
  }

  private static final class Group {
    private final List<Exchange<?>> members = new ArrayList<>();
    private int keys;

    private static int keysOf(Exchange<?> exchange) {
      return exchange.command().joint().keys().size();
    }

    boolean hasRoomFor(Exchange<?> exchange) {
      return members.isEmpty()
          || (members.size() < MOST_EXCHANGES && keys + keysOf(exchange) <= Joint.MOST_KEYS);
    }

    void add(Exchange<?> exchange) {
      members.add(exchange);
      keys += keysOf(exchange);
    }
  }
}
