package io.runtimestate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.redis.RedisTest;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.FaultProxy;
import io.runtimestate.support.RedisServer;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads and values of every size. */
class LoadTest extends RedisTest {
  private static final int KEYS = 1_000;
  private final RedisServer server = RedisServer.shared();

  /** Reads keys whose value is their name, one after the other, from where it runs. */
  private final class Reader {
    private final StateBackend backend;
    private final AtomicInteger mismatches;
    private final Promise<Void> done = Promise.promise();

    Reader(StateBackend backend, AtomicInteger mismatches) {
      this.backend = backend;
      this.mismatches = mismatches;
    }

    Future<Void> read(int left) {
      if (left == 0) {
        done.complete();
      } else {
        String key = "k" + left % KEYS;
        backend
            .execute(get(key))
            .onComplete(
                value -> {
                  if (!value.filter(key::equals).isPresent()) {
                    mismatches.incrementAndGet();
                  }
                  read(left - 1);
                },
                done::fail);
      }
      return done.future();
    }
  }

  @Test
  @DisplayName("C07: any thread may call, and each caller gets its own answer")
  void manyThreads() throws InterruptedException {
    RuntimeStateOptions options = options(server.uri()).setCommandTimeout(Duration.ofSeconds(20));
    options.getRedis().setFastLanes(2);
    StateBackend backend = open(options);
    for (int i = 0; i < KEYS; i++) {
      run(backend, set("k" + i, "k" + i, Duration.ofMinutes(1)));
    }
    AtomicInteger mismatches = new AtomicInteger();
    List<Future<?>> readers = new ArrayList<>();
    for (ThreadingModel model : List.of(ThreadingModel.EVENT_LOOP, ThreadingModel.WORKER)) {
      readers.add(vertx.deployVerticle(() -> verticle(backend, mismatches), of(model)));
    }
    List<Thread> threads =
        IntStream.range(0, 16)
            .mapToObj(i -> new Thread(() -> Await.get(new Reader(backend, mismatches).read(4_000))))
            .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    readers.forEach(Await::get);
    assertThat(mismatches).hasValue(0);
    assertThat(backend.figures()).containsEntry("pending", 0L);
  }

  private static DeploymentOptions of(ThreadingModel model) {
    return new DeploymentOptions().setThreadingModel(model).setInstances(2);
  }

  private VerticleBase verticle(StateBackend backend, AtomicInteger mismatches) {
    return new VerticleBase() {
      @Override
      public Future<?> start() {
        return new Reader(backend, mismatches).read(10_000);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1_460})
  @DisplayName("H05: values of every size survive any splitting of the stream")
  void everySize(int chunk) {
    try (FaultProxy proxy = FaultProxy.start(vertx, server.port())) {
      StateBackend backend = open(options(proxy.uri()).setCommandTimeout(Duration.ofSeconds(30)));
      run(backend, set("small", "small", Duration.ofMinutes(1)));
      proxy.chunk(chunk);
      for (int size : sizes(chunk)) {
        String value = "ä".repeat(size / 2) + "x".repeat(size % 2);
        Future<Void> stored = backend.execute(set("big", value, Duration.ofMinutes(1)));
        Future<?> small = backend.execute(get("small"));
        var read = backend.execute(get("big"));
        var smallAgain = backend.execute(get("small"));
        Await.get(stored);
        assertThat(Await.get(read).orElseThrow()).isEqualTo(value);
        assertThat(Await.get(small)).isEqualTo(Await.get(smallAgain));
      }
      Await.get(backend.close());
    }
  }

  /** Byte by byte the largest would take minutes and show nothing new. */
  private static int[] sizes(int chunk) {
    return chunk < 1_000
        ? new int[] {0, 1, 511, 512, 65_535, 65_536}
        : new int[] {0, 1, 511, 512, 65_535, 65_536, 1 << 20, 20 << 20};
  }
}
