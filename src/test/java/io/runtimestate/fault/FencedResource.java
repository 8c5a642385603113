package io.runtimestate.fault;

import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What a lock protects: it refuses fencing tokens smaller than the last it has seen. It notes every
 * breach of what holders may rely on. Any thread.
 */
final class FencedResource {
  private final Map<Long, Object> holders = new HashMap<>();
  private final Queue<String> breaches = new ConcurrentLinkedQueue<>();
  private long newest;
  private int writes;
  private int refused;

  /** The largest token that was accepted. */
  synchronized long newest() {
    return newest;
  }

  /**
   * A holder was told that it holds.
   *
   * @param before the newest token when it asked: everything written until then is older
   */
  synchronized void granted(Object holder, long token, long before) {
    if (token <= before) {
      breaches.add("token " + token + " was granted after " + before + " had been used");
    }
    if (holders.putIfAbsent(token, holder) != null) {
      breaches.add("token " + token + " was granted twice");
    }
  }

  /** A holder that believes to hold works. */
  synchronized void write(Object holder, long token) {
    if (token < newest) {
      refused++; // it was paused, or does not know yet: that is what tokens are for
    } else if (holders.get(token) != holder) {
      breaches.add("somebody else writes with token " + token);
    } else {
      newest = token;
      writes++;
    }
  }

  synchronized int writes() {
    return writes;
  }

  synchronized int refused() {
    return refused;
  }

  Queue<String> breaches() {
    return breaches;
  }
}
