package io.runtimestate.model;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.memory.MemoryBackend;
import io.runtimestate.model.Comparison.Difference;
import io.runtimestate.operation.KeyOperation;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.spi.BackendDescription;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.spi.TimeSource;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whether a comparison finds anything at all. */
class ComparisonTest {
  private final Vertx vertx = Vertx.vertx();
  private RuntimeState memory;

  @BeforeEach
  void open() {
    memory = get(RuntimeState.open(vertx, new RuntimeStateOptions()));
  }

  @AfterEach
  void close() {
    get(vertx.close());
  }

  @Test
  @DisplayName("a store that forgets the expiry kept by compareAndSet is found, in a few steps")
  void shrink_aForgetfulStore() {
    StateBackend inner = get(backend());
    RuntimeState forgetful = RuntimeState.over(vertx, new Forgetful(inner));
    Comparison comparison = new Comparison(memory, forgetful);
    Difference found = firstOf(comparison);
    Difference shrunk = comparison.shrink(found);
    assertThat(shrunk.steps().size()).isLessThanOrEqualTo(4).isLessThan(found.steps().size());
    assertThat(shrunk.toString()).contains("kv.compareAndSet(key=\"k", "answered ");
  }

  private static Difference firstOf(Comparison comparison) {
    for (long seed = 0; seed < 50; seed++) {
      Optional<Difference> found =
          comparison.run(
              Comparison.history(seed, 400, Families.ALL).stream().filter(quick()).toList());
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new AssertionError("nothing was found");
  }

  private static Predicate<Step> quick() {
    return step -> step.pause().isZero();
  }

  @Test
  @DisplayName("equal seeds make equal histories, other seeds others")
  void history_seeded() {
    List<String> one = texts(7);
    assertThat(texts(7)).isEqualTo(one);
    assertThat(texts(8)).isNotEqualTo(one);
  }

  private static List<String> texts(long seed) {
    return Comparison.history(seed, 50, Families.ALL).stream().map(Step::toString).toList();
  }

  private Future<StateBackend> backend() {
    return MemoryBackend.open(vertx, new RuntimeStateOptions(), TimeSource.SYSTEM);
  }

  /** Clears the expiry where compareAndSet should keep it. */
  private record Forgetful(StateBackend inner) implements StateBackend {
    @Override
    public <R> Future<R> execute(Operation<R> operation, long timeoutMillis) {
      Future<R> answer = inner.execute(operation, timeoutMillis);
      return operation instanceof KvOperation.CompareAndSet set && set.ttl().isEmpty()
          ? answer.compose(result -> inner.execute(new KeyOperation.Persist(set.key())).map(result))
          : answer;
    }

    @Override
    public BackendDescription description() {
      return inner.description();
    }

    @Override
    public long unixMillis() {
      return inner.unixMillis();
    }

    @Override
    public Map<String, Long> figures() {
      return inner.figures();
    }

    @Override
    public Future<Void> close() {
      return inner.close();
    }
  }
}
