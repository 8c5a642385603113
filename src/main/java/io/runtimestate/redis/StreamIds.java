package io.runtimestate.redis;

import static io.runtimestate.redis.LaneKind.ADMIN;
import static io.runtimestate.redis.LaneKind.FAST;

import io.runtimestate.data.EntryId;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Lists of ids: those that cannot exist are left out, many of them go where they are in nobody's
 * way.
 */
final class StreamIds {
  private static final int FEW = 100;

  private StreamIds() {}

  /**
   * One piece after the other; one without any id is sent too, since the stream must be checked.
   */
  static <R> Future<List<R>> inPieces(
      Call call, List<String> ids, BiFunction<LaneKind, List<String>, Future<R>> send) {
    LaneKind lane = ids.size() <= FEW ? FAST : ADMIN;
    return Chunks.inOrder(call, ids, piece -> send.apply(lane, canonical(piece)));
  }

  /** The same for operations that would count a repeated id again. */
  static <R> Future<List<R>> distinctInPieces(
      Call call, List<String> ids, BiFunction<LaneKind, List<String>, Future<R>> send) {
    return inPieces(call, ids.stream().distinct().toList(), send);
  }

  private static List<String> canonical(List<String> texts) {
    List<String> canonical = new ArrayList<>(texts.size());
    for (String text : texts) {
      if (EntryId.parse(text) != null) {
        canonical.add(text);
      }
    }
    return canonical;
  }

  static long sum(List<Long> counts) {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }
}
