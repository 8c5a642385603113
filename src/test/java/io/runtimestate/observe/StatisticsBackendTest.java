package io.runtimestate.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.BackendKind;
import io.runtimestate.data.OperationStatistics;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.StateBackend;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatisticsBackendTest {
  private static final OperationType GET = OperationCatalog.find("kv.get").orElseThrow();

  private final Scripted inner = new Scripted();
  private final StatisticsBackend statistics = new StatisticsBackend(inner);

  @Test
  void execute_waitedIsAlwaysMeasured() {
    for (int i = 0; i < 40; i++) {
      Promise<Object> waiting = Promise.promise();
      inner.answer = waiting.future();
      statistics.execute(new KvOperation.Get("k"));
      waiting.complete(Optional.empty());
    }
    assertMeasured(40, 40);
  }

  @Test
  void execute_answeredAtOnceIsSampled() {
    inner.answer = Future.succeededFuture(Optional.empty());
    for (int i = 0; i < 160; i++) {
      statistics.execute(new KvOperation.Get("k"));
    }
    assertMeasured(160, 10);
  }

  @Test
  void execute_isCountedBeforeItsCallerHears() {
    Promise<Object> waiting = Promise.promise();
    inner.answer = waiting.future();
    long[] seen = {0};
    statistics
        .execute(new KvOperation.Get("k"))
        .onComplete(done -> seen[0] = statistics.counters(GET).count());
    assertThat(statistics.counters(GET).count()).isZero();
    waiting.complete(Optional.empty());
    assertThat(seen[0]).isEqualTo(1);
  }

  private void assertMeasured(long count, long measured) {
    OperationStatistics gets = statistics.counters(GET).snapshot();
    assertThat(gets.count()).isEqualTo(count);
    assertThat(gets.latency().buckets()).containsEntry("+Inf", measured);
  }

  /** Answers whatever the test says. */
  private static final class Scripted implements StateBackend {
    private Future<Object> answer;

    @Override
    @SuppressWarnings("unchecked") // the test knows what it asks for
    public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
      return (Future<R>) answer;
    }

    @Override
    public BackendDescription description() {
      return new BackendDescription(
          BackendKind.MEMORY, Optional.empty(), Optional.empty(), "rs", NO_TIMEOUT);
    }

    @Override
    public long unixMillis() {
      return 0;
    }

    @Override
    public Map<String, Long> figures() {
      return Map.of();
    }

    @Override
    public Future<Void> close() {
      return Future.succeededFuture();
    }
  }
}
