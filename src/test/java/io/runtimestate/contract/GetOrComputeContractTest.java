package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.lease.FlightOptions;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.Footprint;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;

/** Values that are computed when they are missing. */
class GetOrComputeContractTest {
  private static final Duration TTL = seconds(30);

  private final AtomicInteger loads = new AtomicInteger();

  private Supplier<Future<String>> slow(Fixture f, long millis) {
    return () -> {
      int number = loads.incrementAndGet();
      Promise<String> value = Promise.promise();
      f.vertx().setTimer(Math.max(1, millis), id -> value.complete("v" + number));
      return value.future();
    };
  }

  private static Future<String> call(
      RuntimeState state, Fixture f, Supplier<Future<String>> loader) {
    return state.kv().getOrCompute(f.key("k"), TTL, loader);
  }

  private static FlightOptions waiting(long millis) {
    return FlightOptions.DEFAULT.withWaitUpTo(ms(millis));
  }

  @EachBackend
  @DisplayName(
      "3.10.1 a value that is there is not computed; a computed one is stored with its ttl")
  void value_sharedAndStored(Fixture f) {
    List<Future<String>> calls = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      calls.add(call(f.state(), f, slow(f, 50)));
    }
    calls.forEach(value -> assertThat(get(value)).isEqualTo("v1"));
    assertThat(get(call(f.state(), f, slow(f, 0)))).isEqualTo("v1");
    assertThat(loads).hasValue(1);
    Ttls.assertExpires(f.state(), f.key("k"), seconds(20), TTL);
    Await.until(
        () -> get(f.state().locks().holder("getOrCompute:" + f.key("k"))).isEmpty(),
        "the lock is free");
  }

  @EachBackend
  @DisplayName("C103 two handles compute once together")
  void handles_share(Fixture f) {
    Future<String> here = call(f.state(), f, slow(f, 300));
    Future<String> there = call(f.second(), f, slow(f, 300));
    assertThat(get(here)).isEqualTo("v1");
    assertThat(get(there)).isEqualTo("v1");
    assertThat(loads).hasValue(1);
  }

  @EachBackend
  @DisplayName("C102 a loader that fails fails its flight; nothing is stored, the next call loads")
  void loader_fails(Fixture f) {
    Exception failure = new Exception("load");
    Promise<String> loading = Promise.promise();
    List<Future<String>> calls = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      calls.add(call(f.state(), f, loading::future));
    }
    f.pass(ms(50));
    loading.fail(failure);
    calls.forEach(value -> assertThat(Await.failure(value)).isSameAs(failure));
    Ttls.assertMissing(f.state(), f.key("k"));
    RuntimeException thrown = new IllegalStateException("load");
    Future<String> throwing =
        call(
            f.state(),
            f,
            () -> {
              throw thrown;
            });
    assertThat(Await.failure(throwing)).isSameAs(thrown);
    for (Supplier<Future<String>> broken :
        List.<Supplier<Future<String>>>of(() -> null, () -> Future.succeededFuture(null))) {
      RuntimeStateException refused = Fails.failure(call(f.state(), f, broken));
      assertThat(refused.code()).isEqualTo(FailureCode.INTERNAL);
    }
    Ttls.assertMissing(f.state(), f.key("k"));
    assertThat(get(call(f.state(), f, slow(f, 0)))).isEqualTo("v1");
  }

  @EachBackend
  @DisplayName("C104 a wait ends although a loader elsewhere goes on")
  void wait_ends(Fixture f) {
    Future<String> there = call(f.second(), f, slow(f, 1_000));
    Await.until(() -> loads.get() == 1, "loads");
    long before = System.nanoTime();
    RuntimeStateException failure =
        Fails.failure(f.state().kv().getOrCompute(f.key("k"), TTL, slow(f, 0), waiting(100)));
    assertThat((System.nanoTime() - before) / 1_000_000).isBetween(99L, 900L);
    assertThat(failure.code()).isEqualTo(FailureCode.TIMED_OUT);
    assertThat(failure.mayHaveBeenApplied()).isFalse();
    assertThat(get(there)).isEqualTo("v1");
    assertThat(loads).hasValue(1);
  }

  @EachBackend
  @DisplayName("3.10.4 who waits longer than the caller that began is not left alone")
  void wait_longer(Fixture f) {
    Future<String> there = call(f.second(), f, slow(f, 600));
    Await.until(() -> loads.get() == 1, "loads");
    Future<String> impatient =
        f.state().kv().getOrCompute(f.key("k"), TTL, slow(f, 0), waiting(100));
    Future<String> patient = call(f.state(), f, slow(f, 0));
    assertThat(Fails.failure(impatient).code()).isEqualTo(FailureCode.TIMED_OUT);
    assertThat(get(patient)).isEqualTo("v1");
    assertThat(get(there)).isEqualTo("v1");
  }

  @EachBackend
  @DisplayName("3.10.2 the loader runs on its caller's context")
  void loader_context(Fixture f) {
    Context context = f.vertx().getOrCreateContext();
    Promise<Context> loaded = Promise.promise();
    Promise<Context> told = Promise.promise();
    context.runOnContext(
        now ->
            call(
                    f.state(),
                    f,
                    () -> {
                      loaded.complete(Vertx.currentContext());
                      return Future.succeededFuture("v");
                    })
                .onComplete(value -> told.complete(Vertx.currentContext())));
    assertThat(get(loaded.future())).isSameAs(context);
    assertThat(get(told.future())).isSameAs(context);
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("3.10.2 a value whose lock was lost is given to the callers and not stored")
  void lease_lost(Fixture f) {
    FlightOptions quick = FlightOptions.DEFAULT.withFlightTtl(ms(150));
    Future<String> value = f.state().kv().getOrCompute(f.key("k"), TTL, slow(f, 400), quick);
    Await.until(() -> loads.get() == 1, "loads");
    try (RedisSide side = RedisServer.shared().side()) {
      side.command("DEL", f.prefix() + ":lk:{getOrCompute:" + f.key("k") + "}");
    }
    assertThat(get(value)).isEqualTo("v1");
    Ttls.assertMissing(f.state(), f.key("k"));
  }

  @EachBackend
  @DisplayName("3.10 arguments are checked")
  void arguments(Fixture f) {
    Supplier<Future<String>> loader = () -> Future.succeededFuture("v");
    var kv = f.state().kv();
    assertInvalid(kv.getOrCompute("", TTL, loader)).contains("key");
    assertInvalid(kv.getOrCompute("x".repeat(65_001), TTL, loader)).contains("key");
    assertInvalid(kv.getOrCompute(f.key("k"), null, loader)).contains("ttl");
    assertInvalid(kv.getOrCompute(f.key("k"), Duration.ZERO, loader)).contains("ttl");
    assertInvalid(kv.getOrCompute(f.key("k"), TTL, null)).contains("loader");
    assertInvalid(kv.getOrCompute(f.key("k"), TTL, loader, waiting(-1))).contains("waitUpTo");
    FlightOptions noTime = FlightOptions.DEFAULT.withFlightTtl(Duration.ZERO);
    assertInvalid(kv.getOrCompute(f.key("k"), TTL, loader, noTime));
    String longest = "x".repeat(65_000);
    assertThat(get(kv.getOrCompute(longest, TTL, loader))).isEqualTo("v");
    get(f.state().keys().delete(longest));
    get(f.state().kv().set(" ", "blank", TTL));
    assertThat(get(kv.getOrCompute(" ", TTL, loader))).isEqualTo("blank");
    get(f.state().keys().delete(" "));
  }

  @EachBackend
  @DisplayName("3.10 a value that cannot be stored is given to the callers all the same")
  void value_notStorable(Fixture f) {
    String lonely = "\uD800";
    assertThat(get(call(f.state(), f, () -> Future.succeededFuture(lonely)))).isEqualTo(lonely);
    Ttls.assertMissing(f.state(), f.key("k"));
  }

  @EachBackend
  @DisplayName("3.10.4 a key of another type fails the first read; that is passed on")
  void firstRead_fails(Fixture f) {
    get(f.state().sets().add(f.key("k"), "member"));
    assertThat(Fails.failure(call(f.state(), f, slow(f, 1))).code())
        .isEqualTo(FailureCode.WRONG_TYPE);
    assertThat(loads).hasValue(0);
    get(f.state().keys().delete(f.key("k")));
  }

  @EachBackend
  @DisplayName("13.2 callers that wait fail CLOSED, and nothing is left")
  void close_endsWaits(Fixture f) {
    RuntimeState state = f.open(f.options());
    Footprint before = f.footprint();
    Promise<String> never = Promise.promise();
    List<Future<String>> calls = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      calls.add(state.kv().getOrCompute("k", TTL, never::future));
    }
    f.pass(ms(50));
    get(state.close());
    for (Future<String> value : calls) {
      assertThat(Fails.failure(value).code()).isEqualTo(FailureCode.CLOSED);
    }
    never.complete("too late");
    assertThat(Fails.failure(state.kv().getOrCompute("k", TTL, never::future)).code())
        .isEqualTo(FailureCode.CLOSED);
    if (f.kind() != DoorKind.BUS) { // the bus keeps the timers of requests
      f.awaitReturn(before);
    }
  }
}
