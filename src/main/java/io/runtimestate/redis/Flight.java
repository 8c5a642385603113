package io.runtimestate.redis;

import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Exchanges in the order they came; each leaves from wherever it stands, since replies of a cluster
 * come from several nodes. The links are in the exchanges: nothing is allocated.
 */
final class Flight {
  private Exchange<?> first;
  private Exchange<?> last;

  void add(Exchange<?> exchange) {
    exchange.before = last;
    if (last == null) {
      first = exchange;
    } else {
      last.after = exchange;
    }
    last = exchange;
  }

  void remove(Exchange<?> exchange) {
    if (exchange.before == null) {
      first = exchange.after;
    } else {
      exchange.before.after = exchange.after;
    }
    if (exchange.after == null) {
      last = exchange.before;
    } else {
      exchange.after.before = exchange.before;
    }
    exchange.before = null;
    exchange.after = null;
  }

  boolean isEmpty() {
    return first == null;
  }

  /** Takes out the oldest; null if there is none. */
  Exchange<?> poll() {
    Exchange<?> oldest = first;
    if (oldest != null) {
      remove(oldest);
    }
    return oldest;
  }

  /** Looks at all, oldest first; the action may remove the one it looks at, and no other. */
  void each(Consumer<Exchange<?>> action) {
    Exchange<?> next = first;
    while (next != null) {
      Exchange<?> exchange = next;
      next = exchange.after;
      action.accept(exchange);
    }
  }

  boolean any(Predicate<Exchange<?>> condition) {
    Exchange<?> exchange = first;
    while (exchange != null && !condition.test(exchange)) {
      exchange = exchange.after;
    }
    return exchange != null;
  }
}
