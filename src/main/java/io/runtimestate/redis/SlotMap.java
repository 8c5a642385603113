package io.runtimestate.redis;

import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;

/**
 * Which masters own which slots, as one node sees it.
 *
 * @param ranges in no particular order
 */
record SlotMap(List<Range> ranges) {
  /** Slots of one master, both ends included. */
  record Range(int first, int last, Address master) {}

  /**
   * Reads the answer of CLUSTER SLOTS.
   *
   * @param asked a node may leave out the host it was asked at
   */
  static SlotMap read(Response reply, String asked) {
    List<Range> ranges = new ArrayList<>();
    Replies.list(reply).forEach(range -> ranges.add(range(Replies.list(range), asked)));
    return new SlotMap(List.copyOf(ranges));
  }

  private static Range range(List<Response> parts, String asked) {
    List<Response> master = Replies.list(parts.get(2));
    String host = Replies.optionalText(master.get(0)).orElse("");
    return new Range(
        (int) Replies.integer(parts.get(0)),
        (int) Replies.integer(parts.get(1)),
        Address.of(host, (int) Replies.integer(master.get(1)), asked));
  }
}
