package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.FacadeCall;
import io.runtimestate.RuntimeState;
import io.runtimestate.RuntimeStateVerticle;
import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.support.Await;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.runtimestate.support.Footprint;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;

class LifecycleContractTest {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(6);

  @EachBackend
  @DisplayName("C450 after close every call fails CLOSED; closing again completes too")
  void close_endsCalls(Fixture f) {
    Footprint before = f.footprint();
    RuntimeState state = f.open(f.options());
    get(state.kv().set("k", "v"));
    List<Future<Void>> closes = List.of(state.close(), state.close());
    closes.forEach(Await::get);
    get(state.close());
    for (FacadeCall call : FacadeCall.all()) {
      Future<?> refused = call.on(state, call.usualArguments());
      assertFails(refused, FailureCode.CLOSED).matches("[a-z]+\\.[a-zA-Z]+: .*");
    }
    assertThat(state.isMemory()).isEqualTo(f.isMemory());
    if (f.kind() != DoorKind.BUS) {
      f.awaitReturn(before);
    }
  }

  @EachBackend
  @DisplayName("C450 P01 calls in flight at close are answered or fail CLOSED, all of them")
  void close_withCallsInFlight(Fixture f) {
    RuntimeState state = f.open(f.options());
    List<Future<Void>> calls = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      calls.add(state.kv().set("k" + i % 10, "v", seconds(60)));
    }
    Await.within(CLOSE_LIMIT, state.close());
    for (Future<Void> call : calls) {
      Await.until(call::isComplete, "answered");
      if (call.failed()) {
        RuntimeStateException failure = (RuntimeStateException) call.cause();
        assertThat(failure.code()).isEqualTo(FailureCode.CLOSED);
      }
    }
  }

  @EachBackend
  @DisplayName("C453 P01 a runtime opened in a verticle ends with it and leaves nothing")
  void undeploy_closes(Fixture f) {
    Footprint before = f.footprint();
    Opener opener = new Opener(f, f.options());
    String deployment = get(f.vertx().deployVerticle(opener));
    RuntimeState state = opener.state.get();
    get(state.kv().set("k", "v", seconds(60)));
    List<Future<Void>> calls = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      calls.add(state.kv().set("k", "v", seconds(60)));
    }
    get(f.vertx().undeploy(deployment));
    assertFails(state.kv().get("k"), FailureCode.CLOSED);
    assertThat(calls).allSatisfy(call -> Await.until(call::isComplete, "answered"));
    f.awaitReturn(before);
  }

  /** Opens a state on its own context. */
  private static final class Opener extends VerticleBase {
    private final Fixture f;
    private final RuntimeStateOptions options;
    private final AtomicReference<RuntimeState> state = new AtomicReference<>();

    Opener(Fixture f, RuntimeStateOptions options) {
      this.f = f;
      this.options = options;
    }

    @Override
    public Future<?> start() {
      return f.opening(vertx, options).onSuccess(state::set);
    }
  }

  @EachBackend
  @DisplayName("P03 closing runtime and Vertx in any order, together and twice, ends in time")
  void close_inAnyOrder(Fixture f) {
    for (boolean runtimeFirst : new boolean[] {true, false}) {
      Vertx own = Vertx.vertx();
      RuntimeState state = get(f.opening(own, f.options()));
      get(state.kv().set("k", "v", seconds(60)));
      Future<Void> first = runtimeFirst ? state.close() : own.close();
      Future<Void> second = runtimeFirst ? own.close() : state.close();
      Await.until(() -> first.isComplete() && second.isComplete(), CLOSE_LIMIT, "both close");
      assertThat(first.succeeded() && second.succeeded()).isTrue();
      Future<Void> again = state.close();
      Await.until(again::isComplete, CLOSE_LIMIT, "closes again");
    }
  }

  @EachBackend
  @DisplayName("13.2 a runtime opened outside verticles survives their end")
  void undeploy_leavesOthers(Fixture f) {
    RuntimeState state = f.open(f.options());
    AtomicReference<Future<?>> used = new AtomicReference<>();
    String deployment =
        get(
            f.vertx()
                .deployVerticle(
                    new VerticleBase() {
                      @Override
                      public Future<?> start() {
                        used.set(state.kv().set("k", "v", seconds(60)));
                        return used.get();
                      }
                    }));
    get(f.vertx().undeploy(deployment));
    assertThat(get(state.kv().get("k"))).contains("v");
  }

  @EachBackend
  @DisplayName("C459 a base is exposed once per Vertx, and free again after close")
  void expose_once(Fixture f) {
    RuntimeStateOptions options = exposed(f, f.freshBase());
    RuntimeState first = get(RuntimeState.open(f.vertx(), options));
    assertFails(RuntimeState.open(f.vertx(), options), FailureCode.INVALID_CONFIGURATION)
        .contains("eventBus.base");
    RuntimeState other = get(RuntimeState.open(f.vertx(), exposed(f, f.freshBase())));
    get(first.close());
    RuntimeState again = get(RuntimeState.open(f.vertx(), options));
    get(again.close());
    get(other.close());
  }

  @EachBackend
  @DisplayName("13.1 P07 an open that fails leaves nothing behind")
  void open_failsCleanly(Fixture f) {
    RuntimeStateOptions options = exposed(f, f.freshBase());
    RuntimeState first = get(RuntimeState.open(f.vertx(), options));
    Footprint before = f.footprint();
    for (int i = 0; i < 5; i++) {
      Await.failure(RuntimeState.open(f.vertx(), options));
    }
    RuntimeStateOptions invalid = f.options();
    invalid.getMemory().setMaxValues(0);
    assertFails(RuntimeState.open(f.vertx(), invalid), FailureCode.INVALID_CONFIGURATION)
        .contains("memory.maxValues");
    f.awaitReturn(before);
    get(first.close());
  }

  @EachBackend
  @DisplayName("P07 a deployment of which one instance fails leaves nothing; a new one works")
  void deploy_halfFails(Fixture f) {
    Footprint before = f.footprint();
    AtomicInteger instances = new AtomicInteger();
    Await.failure(
        f.vertx()
            .deployVerticle(
                () -> new Opener(f, instances.incrementAndGet() == 3 ? broken(f) : f.options()),
                new DeploymentOptions().setInstances(4)));
    f.awaitReturn(before);
    Opener opener = new Opener(f, f.options());
    String deployment = get(f.vertx().deployVerticle(opener));
    get(opener.state.get().ping());
    get(f.vertx().undeploy(deployment));
    f.awaitReturn(before);
  }

  private static RuntimeStateOptions broken(Fixture f) {
    return f.options().setCommandTimeout(Duration.ZERO);
  }

  private static RuntimeStateOptions exposed(Fixture f, String base) {
    RuntimeStateOptions options = f.options();
    options.getEventBus().setExpose(true).setBase(base);
    return options;
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C460 instances of the verticle share one state, which ends with the last")
  void verticle_shared(Fixture f) {
    Footprint before = f.footprint();
    String base = f.freshBase();
    DeploymentOptions two =
        new DeploymentOptions()
            .setInstances(2)
            .setConfig(exposed(f, base).setBackend(BackendMode.MEMORY).toJsonWithSecrets());
    String first = get(f.vertx().deployVerticle(RuntimeStateVerticle.class.getName(), two));
    String second = get(f.vertx().deployVerticle(RuntimeStateVerticle.class.getName(), two));
    RuntimeState client = get(RuntimeState.connect(f.vertx(), base));
    get(client.kv().set("k", "v"));
    get(f.vertx().undeploy(first));
    assertThat(get(client.kv().get("k"))).contains("v");
    get(f.vertx().undeploy(second));
    assertFails(client.kv().get("k"), FailureCode.UNAVAILABLE);
    get(client.close());
    assertFails(RuntimeState.connect(f.vertx(), base), FailureCode.UNAVAILABLE);
    f.awaitReturn(before);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C460 P07 a verticle whose runtime cannot open fails once and can be deployed again")
  void verticle_failsCleanly(Fixture f) {
    Footprint before = f.footprint();
    RuntimeStateOptions options = exposed(f, f.freshBase()).setCommandTimeout(Duration.ZERO);
    DeploymentOptions four =
        new DeploymentOptions().setInstances(4).setConfig(options.toJsonWithSecrets());
    Await.failure(f.vertx().deployVerticle(RuntimeStateVerticle.class.getName(), four));
    f.awaitReturn(before);
    options.setCommandTimeout(seconds(1));
    four.setConfig(options.toJsonWithSecrets());
    String deployment = get(f.vertx().deployVerticle(RuntimeStateVerticle.class.getName(), four));
    get(f.vertx().undeploy(deployment));
    f.awaitReturn(before);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C008 C011 auto without a URL is memory; bad limits fail the open")
  void open_auto(Fixture f) {
    RuntimeState state = f.open(new RuntimeStateOptions().setBackend(BackendMode.AUTO));
    assertThat(state.isMemory()).isTrue();
    assertThat(state.isRedis()).isFalse();
  }

  @EachBackend
  @DisplayName("14.4 closing a client closes nothing on the other side")
  void client_closes(Fixture f) {
    Footprint before = f.footprint();
    String base = f.address("x").replace(".x", "");
    RuntimeState client = get(RuntimeState.connect(f.vertx(), base));
    get(client.kv().set(f.key("k"), "v"));
    get(client.close());
    assertFails(client.kv().get(f.key("k")), FailureCode.CLOSED);
    assertThat(get(f.state().kv().get(f.key("k")))).contains("v");
    f.awaitReturn(before);
  }
}
