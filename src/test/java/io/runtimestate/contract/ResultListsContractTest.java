package io.runtimestate.contract;

import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Queues;
import io.runtimestate.RuntimeState;
import io.runtimestate.ScoreRange;
import io.runtimestate.Scores;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.UsageRule;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.DisplayName;

/** Lists that are answered cannot be changed. */
class ResultListsContractTest {

  @EachBackend
  @DisplayName("every list of an answer is immutable")
  void lists_immutable(Fixture f) {
    Map<String, List<?>> lists = new LinkedHashMap<>();
    addData(f, lists);
    addQueue(f, lists);
    SoftAssertions softly = new SoftAssertions();
    lists.forEach(
        (call, list) -> {
          assertThat(list).as(call).isNotEmpty();
          softly.assertThat(list).as(call).isUnmodifiable();
        });
    softly.assertAll();
  }

  private static void addData(Fixture f, Map<String, List<?>> lists) {
    RuntimeState state = f.state();
    get(state.kv().set(f.key("v"), "x"));
    get(state.sets().add(f.key("s"), "m"));
    Scores scores = state.scores();
    get(scores.set(f.key("z"), "m:1", 1));
    lists.put("kv.getMany", get(state.kv().getMany(List.of(f.key("v"), f.key("none")))));
    lists.put("set.members", get(state.sets().members(f.key("s"))));
    lists.put("score.getMany", get(scores.getMany(f.key("z"), List.of("m:1", "none"))));
    lists.put("score.windowStats", get(scores.windowStats(List.of(f.key("z")), 0)));
    lists.put("rangeByMin", get(scores.rangeByMin(f.key("z"), 0)));
    lists.put("score.range", get(scores.range(f.key("z"), ScoreRange.all())));
    lists.put("score.popLowest", get(scores.popLowest(f.key("z"), 1)));
    UsageRule rule = new UsageRule("{u}" + f.key("u"), 5, ms(60_000));
    lists.put("usage.peek", get(state.usage().peek(List.of(rule), "e")));
    lists.put("keys.list", get(state.keys().list(f.key("") + "*", 10)));
  }

  private static void addQueue(Fixture f, Map<String, List<?>> lists) {
    Queues queues = f.state().queues();
    String stream = f.key("q");
    get(queues.ensureGroup(stream, "g"));
    Future<List<QueueEntry>> waits = queues.read(stream, "g", "c", 1, Duration.ofSeconds(30));
    List<String> ids = get(queues.appendAll(stream, List.of(Map.of("a", "b"), Map.of("a", "c"))));
    lists.put("queue.appendAll", ids);
    lists.put("queue.read with block", get(waits));
    lists.put("queue.read", get(queues.read(stream, "g", "c", 10)));
    lists.put("queue.groups", get(queues.groups(stream)));
    lists.put("queue.pending", get(queues.pending(stream, "g")).entries());
    get(queues.nack(stream, "g", "c", ids));
    lists.put("queue.claim", get(queues.claim(stream, "g", "d", ms(1))).entries());
  }
}
