package io.runtimestate.node;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Consumer;

/** The scores of one key, read back page by page by a thread that may wait. */
final class ReplayScores {
  private static final int PAGE = 1_000;

  private final StateClient client;
  private final String key;

  ReplayScores(StateClient client, String key) {
    this.client = client;
    this.key = key;
  }

  /** A member and its score, a whole number. */
  record Member(String name, long score) {
    static Member of(Object json) {
      JsonObject member = (JsonObject) json;
      return new Member(member.getString("member"), member.getNumber("score").longValue());
    }
  }

  /** The members with the highest scores, the highest first. */
  List<Member> highest(int count) {
    return range(true, 0, count);
  }

  /** All members. */
  void forEach(Consumer<Member> consumer) {
    List<Member> page;
    long from = 0;
    do {
      page = range(false, from, PAGE);
      page.forEach(consumer);
      from += PAGE;
    } while (page.size() == PAGE);
  }

  private List<Member> range(boolean reverse, long offset, int limit) {
    JsonArray members =
        Waiting.on(
            client.ask(
                "score.range",
                new JsonObject()
                    .put("key", key)
                    .put("reverse", reverse)
                    .put("offset", offset)
                    .put("limit", limit)
                    .put("withScores", true)));
    return members.stream().map(Member::of).toList();
  }
}
