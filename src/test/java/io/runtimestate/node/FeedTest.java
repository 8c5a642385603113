package io.runtimestate.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FeedTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Await.get(vertx.close());
  }

  @Test
  void push_keepsTheOrderOfEachClientAndTheBound() {
    Slow stage = new Slow();
    try (Feed feed = new Feed(vertx.getOrCreateContext(), List.of(stage))) {
      for (int i = 0; i < 5_000; i++) {
        feed.push(request(i, "c" + i % 7));
      }
      feed.drain();
    }
    assertThat(stage.handled).isEqualTo(5_000);
    assertThat(stage.most).isBetween(2, 256);
    assertThat(stage.outOfOrder).isZero();
  }

  @Test
  void push_failureNamesItsLine() {
    ReplayStage failing = stage(request -> Future.failedFuture(new NodeFailure("no")));
    Feed feed = new Feed(vertx.getOrCreateContext(), List.of(failing));
    feed.push(request(17, "c"));
    assertThatThrownBy(feed::drain).hasMessage("line 17: no");
    assertThatThrownBy(() -> feed.push(request(18, "c"))).hasMessage("line 17: no");
    feed.close();
  }

  @Test
  void close_waitsForWhatIsUnderWay() {
    Promise<Void> late = Promise.promise();
    AtomicInteger done = new AtomicInteger();
    Feed feed =
        new Feed(
            vertx.getOrCreateContext(),
            List.of(stage(request -> late.future().onSuccess(ended -> done.incrementAndGet()))));
    feed.push(request(1, "c"));
    vertx.setTimer(20, now -> late.complete());
    feed.close();
    assertThat(done).hasValue(1);
  }

  private static Request request(long line, String client) {
    return new Request(line, 0, client, "GET", "/", 200, 0);
  }

  private interface Handling {
    Future<?> handle(Request request);
  }

  private static ReplayStage stage(Handling handling) {
    return new ReplayStage() {
      @Override
      public Future<?> handle(Request request) {
        return handling.handle(request);
      }

      @Override
      public JsonObject summary() {
        return new JsonObject();
      }
    };
  }

  /** Answers in turns of the loop that have nothing to do with the order of the requests. */
  private final class Slow implements ReplayStage {
    private final Map<String, List<Long>> running = new HashMap<>();
    private int underWay;
    private int most;
    private int handled;
    private int outOfOrder;
    private final Map<String, Long> last = new HashMap<>();

    @Override
    public Future<?> handle(Request request) {
      most = Math.max(most, ++underWay);
      List<Long> ofClient = running.computeIfAbsent(request.client(), c -> new ArrayList<>());
      outOfOrder += ofClient.isEmpty() ? 0 : 1;
      outOfOrder += last.getOrDefault(request.client(), -1L) < request.line() ? 0 : 1;
      ofClient.add(request.line());
      Promise<Void> answer = Promise.promise();
      turns(request.hashCode() & 3, () -> finish(request, ofClient, answer));
      return answer.future();
    }

    private void finish(Request request, List<Long> ofClient, Promise<Void> answer) {
      ofClient.remove(request.line());
      last.put(request.client(), request.line());
      underWay--;
      handled++;
      answer.complete();
    }

    private void turns(int left, Runnable then) {
      vertx
          .getOrCreateContext()
          .runOnContext(
              now -> {
                if (left == 0) {
                  then.run();
                } else {
                  turns(left - 1, then);
                }
              });
    }

    @Override
    public JsonObject summary() {
      return new JsonObject();
    }
  }
}
