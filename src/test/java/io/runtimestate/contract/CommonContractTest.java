package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.assertMissing;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.KeyValues;
import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.KeyValue;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

class CommonContractTest {
  private static final long NANOS_PER_MILLI = 1_000_000;

  @EachBackend
  @DisplayName("C035 10 000 calls issued in one go hold up nothing")
  void calls_returnAtOnce(Fixture f) {
    Context context = f.vertx().getOrCreateContext();
    List<Future<Optional<String>>> calls = new ArrayList<>();
    long millis =
        get(
            on(
                context,
                () -> {
                  long start = System.nanoTime();
                  for (int i = 0; i < 5_000; i++) {
                    f.state().kv().set(f.key("k" + i), "v" + i, seconds(60));
                    calls.add(f.state().kv().get(f.key("k" + i)));
                  }
                  return Future.succeededFuture((System.nanoTime() - start) / NANOS_PER_MILLI);
                }));
    assertThat(millis).isLessThan(2_000); // what the blocked-thread checker allows
    for (int i = 0; i < calls.size(); i++) {
      assertThat(get(calls.get(i))).contains("v" + i);
    }
  }

  @EachBackend
  @DisplayName("C036 handlers run on the caller's context, successes and failures alike")
  void handlers_onCallersContext(Fixture f) {
    ContextInternal loop = ((VertxInternal) f.vertx()).createEventLoopContext();
    Context worker = ((VertxInternal) f.vertx()).createWorkerContext();
    for (Context context : List.of(loop, loop.duplicate(), worker, loop.duplicate())) {
      get(f.state().kv().set(f.key("text"), "text"));
      get(assertOn(context, () -> f.state().kv().get(f.key("k"))));
      get(assertOn(context, () -> f.state().keys().list(f.key("*"))));
      get(assertOn(context, () -> f.state().kv().getMany(f.keys("k", 2_500))));
      get(assertOn(context, () -> f.state().kv().increment(f.key("text"), 1)));
      get(assertOn(context, () -> f.state().kv().get("")));
      get(assertOn(context, () -> f.state().execute(null)));
    }
  }

  private static Future<Void> assertOn(Context context, Supplier<Future<?>> call) {
    Promise<Void> done = Promise.promise();
    context.runOnContext(
        start ->
            call.get()
                .onComplete(
                    answer -> {
                      if (Vertx.currentContext() == context) {
                        done.complete();
                      } else {
                        done.fail("handler on " + Vertx.currentContext());
                      }
                    }));
    return done.future();
  }

  @EachBackend
  @DisplayName("0.6.1 a plain thread is given an event-loop context")
  void handlers_ofPlainThreads(Fixture f) {
    Promise<Boolean> onLoop = Promise.promise();
    f.state()
        .kv()
        .get(f.key("k"))
        .onComplete(answer -> onLoop.complete(Context.isOnEventLoopThread()));
    assertThat(get(onLoop.future())).isTrue();
  }

  @EachBackend
  @DisplayName("C07 many threads call one runtime, each gets its own answers")
  void calls_fromManyThreads(Fixture f) throws InterruptedException {
    List<String> keys = f.keys("k", 100);
    get(f.state().kv().setMany(keys.stream().map(key -> new KeyValue(key, key)).toList(), null));
    Map<String, String> wrong = new ConcurrentHashMap<>();
    List<Thread> threads =
        IntStream.range(0, 8)
            .mapToObj(i -> new Thread(() -> readAll(f.state(), keys, wrong)))
            .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(wrong).isEmpty();
  }

  private static void readAll(RuntimeState state, List<String> keys, Map<String, String> wrong) {
    List<Future<Optional<String>>> reads = new ArrayList<>();
    for (int round = 0; round < 10; round++) {
      keys.forEach(key -> reads.add(state.kv().get(key)));
    }
    for (int i = 0; i < reads.size(); i++) {
      String key = keys.get(i % keys.size());
      String answer = get(reads.get(i)).orElse("nothing");
      if (!answer.equals(key)) {
        wrong.put(key, answer);
      }
    }
  }

  @EachBackend
  @DisplayName("C039 no operation at all is refused, without a throw")
  void execute_null(Fixture f) {
    assertInvalid(f.state().execute(null)).contains("operation");
    assertInvalid(f.state().execute(null, seconds(1)));
  }

  @EachBackend
  @DisplayName("C476 a timeout of a call's own must be above zero; null is none")
  void execute_timeouts(Fixture f) {
    KvOperation.Get read = new KvOperation.Get(f.key("k"));
    assertInvalid(f.state().execute(read, Duration.ZERO)).contains("timeout");
    assertInvalid(f.state().execute(read, Duration.ofNanos(-1))).contains("timeout");
    assertInvalid(f.state().execute(read, Duration.ofDays(36_526))).contains("timeout");
    assertThat(get(f.state().execute(read, null))).isEmpty();
    assertThat(get(f.state().execute(read, seconds(9)))).isEmpty();
    assertThat(get(f.state().execute(read, Duration.ofDays(36_525)))).isEmpty();
  }

  @EachBackend
  @DisplayName("C040 unpaired surrogates are refused; composed and decomposed texts differ")
  void texts_wellFormed(Fixture f) {
    KeyValues kv = f.state().kv();
    for (String bad : List.of("\uD800", "a\uDC00", "\uDC00\uD800", "x\uD83D")) {
      assertInvalid(kv.set(bad, "v")).contains("key");
      assertInvalid(kv.set(f.key("k"), bad)).contains("value");
      assertInvalid(kv.compareAndSet(f.key("k"), bad, "v")).contains("expected");
      assertInvalid(kv.compareAndSet(f.key("k"), null, bad)).contains("value");
      assertInvalid(kv.getMany(List.of(f.key("k"), bad))).contains("keys[1]");
      assertInvalid(f.state().keys().list(bad)).contains("pattern");
    }
    assertMissing(f.state(), f.key("k"));
    get(kv.set(f.key("e\u0301"), "decomposed"));
    get(kv.set(f.key("\u00E9"), "composed"));
    assertThat(get(kv.get(f.key("e\u0301")))).contains("decomposed");
    assertThat(get(kv.get(f.key("\u00E9")))).contains("composed");
  }

  @EachBackend
  @DisplayName("C044 C03 empty lists are answered at once, their other arguments still checked")
  void emptyLists_answered(Fixture f) {
    assertThat(get(f.state().kv().getMany(List.of()))).isEmpty();
    assertThat(get(f.state().kv().setMany(List.of(), seconds(1)))).isNull();
    assertThat(get(f.state().kv().setMany(Map.of(), Duration.ZERO))).isNull();
    assertThat(get(f.state().keys().deleteMany(List.of()))).isZero();
    assertInvalid(f.state().kv().setMany(List.of(), ms(-1))).contains("ttl");
  }

  @EachBackend
  @DisplayName("C045 2 500 keys are read in order, repeats too, and deleted once")
  void lists_chunked(Fixture f) {
    List<String> keys = f.keys("k", 2_500);
    get(f.state().kv().setMany(keys.stream().map(key -> new KeyValue(key, key)).toList(), null));
    List<String> asked = new ArrayList<>(keys);
    asked.addAll(keys.subList(100, 1_400));
    asked.add(700, f.key("missing"));
    assertThat(get(f.state().kv().getMany(asked)))
        .isEqualTo(asked.stream().map(key -> valueOf(f, key)).toList());
    assertThat(get(f.state().keys().deleteMany(asked))).isEqualTo(2_500);
    assertThat(get(f.state().keys().deleteMany(keys))).isZero();
  }

  private static Optional<String> valueOf(Fixture f, String key) {
    return key.equals(f.key("missing")) ? Optional.empty() : Optional.of(key);
  }

  @EachBackend
  @DisplayName("0.2.4 lists are copied when the call is made; results are the caller's own")
  void lists_copied(Fixture f) {
    List<KeyValue> entries = new ArrayList<>(List.of(new KeyValue(f.key("a"), "1")));
    Future<Void> set = f.state().kv().setMany(entries, null);
    entries.set(0, new KeyValue(f.key("b"), "2"));
    get(set);
    List<String> keys = new ArrayList<>(List.of(f.key("a"), f.key("b")));
    Future<List<Optional<String>>> read = f.state().kv().getMany(keys);
    keys.clear();
    assertThat(get(read)).containsExactly(Optional.of("1"), Optional.empty());
  }

  @EachBackend
  @DisplayName("C050 the handler of a write sees what was written")
  void handler_seesNewState(Fixture f) {
    Future<Optional<String>> read =
        get(
            on(
                f.vertx().getOrCreateContext(),
                () ->
                    f.state()
                        .kv()
                        .set(f.key("k"), "new")
                        .map(done -> f.state().kv().get(f.key("k")))));
    assertThat(get(read)).contains("new");
  }

  @EachBackend
  @DisplayName("C051 calls on one key take effect in the order issued")
  void calls_inOrder(Fixture f) {
    Future<Optional<String>> read =
        get(
            on(
                f.vertx().getOrCreateContext(),
                () -> {
                  for (int i = 0; i < 1_000; i++) {
                    f.state().kv().set(f.key("k"), "v" + i);
                  }
                  return Future.succeededFuture(f.state().kv().get(f.key("k")));
                }));
    assertThat(get(read)).contains("v999");
    Future<Long> last = f.state().kv().increment(f.key("n"), 1);
    for (int i = 0; i < 100; i++) {
      last = f.state().kv().increment(f.key("n"), 1);
    }
    assertThat(get(last)).isEqualTo(101);
  }

  @EachBackend
  @DisplayName("C474 handlers that start the next call neither overflow nor starve the loop")
  void chain_100000(Fixture f) {
    assertChains(f, 100_000);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C474 a million handlers that start the next call")
  void chain_1000000(Fixture f) {
    assertChains(f, 1_000_000);
  }

  private static void assertChains(Fixture f, int calls) {
    Context context = ((VertxInternal) f.vertx()).createEventLoopContext();
    RuntimeState state = get(on(context, () -> f.opening(f.vertx(), f.options())));
    long gap = get(on(context, () -> pulseWhile(f.vertx(), chain(state.kv(), "k", calls))));
    assertThat(gap).as("longest pause of a 10 ms timer").isLessThanOrEqualTo(100);
  }

  private static Supplier<Future<?>> chain(KeyValues kv, String key, int calls) {
    return () -> {
      Promise<Void> done = Promise.promise();
      next(kv, key, calls, done);
      return done.future();
    };
  }

  private static void next(KeyValues kv, String key, int left, Promise<Void> done) {
    kv.set(key, "v")
        .onComplete(
            answer -> {
              if (answer.failed()) {
                done.fail(answer.cause());
              } else if (left == 1) {
                done.complete();
              } else {
                next(kv, key, left - 1, done);
              }
            });
  }

  /**
   * The longest time between two ticks of a 10 ms timer until the work is done, in milliseconds the
   * loop itself has worked: how long a busy machine stops it says nothing about the library.
   */
  private static Future<Long> pulseWhile(Vertx vertx, Supplier<Future<?>> work) {
    long[] last = {worked()};
    long[] longest = {0};
    Runnable beat =
        () -> {
          long now = worked();
          longest[0] = Math.max(longest[0], now - last[0]);
          last[0] = now;
        };
    long timer = vertx.setPeriodic(10, id -> beat.run());
    return work.get()
        .onComplete(done -> vertx.cancelTimer(timer))
        .map(
            done -> {
              beat.run();
              return longest[0] / NANOS_PER_MILLI;
            });
  }

  private static long worked() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C475 C01 a burst beyond maxPendingOperations is refused, not thrown, and passes")
  void burst_overloaded(Fixture f) {
    RuntimeStateOptions options = f.options();
    options.getMemory().setMaxPendingOperations(1_000);
    Context context = ((VertxInternal) f.vertx()).createEventLoopContext();
    RuntimeState state = get(on(context, () -> f.opening(f.vertx(), options)));
    List<Future<Void>> burst =
        get(
            on(
                context,
                () ->
                    Future.succeededFuture(
                        IntStream.range(0, 100_000)
                            .mapToObj(i -> state.kv().set("k", "v"))
                            .toList())));
    Await.until(() -> burst.stream().allMatch(Future::isComplete), "all are answered");
    assertThat(burst.stream().filter(Future::succeeded).count()).isGreaterThanOrEqualTo(1_000);
    Future<Void> refused = burst.stream().filter(Future::failed).findFirst().orElseThrow();
    assertFails(refused, FailureCode.OVERLOADED)
        .startsWith("kv.set: ")
        .contains("memory.maxPendingOperations", "1000");
    get(on(context, () -> state.kv().set("k", "w")));
  }

  /** Runs a call on a context and hands its answer to the test's thread. */
  private static <T> Future<T> on(Context context, Supplier<Future<T>> call) {
    Promise<T> answer = Promise.promise();
    context.runOnContext(
        start -> {
          try {
            call.get().onComplete(answer);
          } catch (RuntimeException | Error thrown) {
            answer.fail(thrown);
          }
        });
    return answer.future();
  }

  @EachBackend
  @DisplayName("0.7.4 failures name the operation and no text of the caller")
  void messages_hideTexts(Fixture f) {
    Function<String, String> marked = name -> f.key("m4rk-" + name);
    get(f.state().kv().set(marked.apply("k"), "m4rk-value"));
    List<Future<?>> calls =
        List.of(
            f.state().kv().increment(marked.apply("k"), 1),
            f.state().kv().set(marked.apply("k"), "m4rk\uD800"),
            f.state().kv().set(marked.apply("k") + "\uDC00", "v"),
            f.state().keys().scan(marked.apply("*"), "m4rk-cursor", 1));
    for (Future<?> call : calls) {
      Throwable failure = Await.failure(call);
      assertThat(failure.getMessage()).matches("(kv|key)\\.[a-zA-Z]+: .*").doesNotContain("m4rk");
      assertThat(failure).hasNoCause();
    }
  }
}
