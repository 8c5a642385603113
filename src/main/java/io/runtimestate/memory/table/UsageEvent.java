package io.runtimestate.memory.table;

import io.runtimestate.data.Utf8;
import java.util.Comparator;

/** An event that counts in a window from a time on. */
final class UsageEvent extends Named {
  static final Comparator<UsageEvent> ORDER = UsageEvent::compare;

  final long at;

  UsageEvent(String id, long at) {
    super(id);
    this.at = at;
  }

  private static int compare(UsageEvent a, UsageEvent b) {
    int byTime = Long.compare(a.at, b.at);
    return byTime != 0 ? byTime : Utf8.compare(a.key, b.key);
  }
}
