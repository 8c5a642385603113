package io.runtimestate.observe;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.data.Health;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.CheckResult;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertx.ext.healthchecks.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RuntimeStateHealthTest {
  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    get(vertx.close());
  }

  @EachBackend
  void register_reportsTheBackend(Fixture f) {
    CheckResult result = checked(f.state()::health);
    assertThat(result.getUp()).isTrue();
    assertThat(result.getId()).isEqualTo("runtime-state");
    assertThat(result.getData().getString("backend")).isEqualTo(f.state().backendKind().word());
    assertThat(result.getData().getLong("latency")).isNotNegative();
    assertThat(result.getData().containsKey("message")).isFalse();
  }

  @Test
  void register_down() {
    Health down = new Health(false, "redis", Duration.ofMillis(7), Optional.of("no answer"));
    CheckResult result = checked(() -> Future.succeededFuture(down));
    assertThat(result.getUp()).isFalse();
    assertThat(result.getData())
        .isEqualTo(
            new JsonObject()
                .put("backend", "redis")
                .put("latency", 7L)
                .put("message", "no answer"));
  }

  @EachBackend(DoorKind.MEMORY)
  void register_closedRuntimeIsDown(Fixture f) {
    RuntimeState state = f.open(f.options());
    get(state.close());
    CheckResult result = checked(state::health);
    assertThat(result.getUp()).isFalse();
    assertThat(result.getData().getString("message")).contains("closed");
  }

  /** Health checks give up on a slow procedure and complete its promise themselves. */
  @Test
  void procedure_answersAfterItsTimeLimit() {
    Promise<Status> limited = Promise.promise();
    limited.complete(Status.KO());
    Promise<Health> slow = Promise.promise();
    RuntimeStateHealth.procedure(slow::future).handle(limited);
    slow.complete(new Health(true, "memory", Duration.ZERO, Optional.empty()));
    assertThat(limited.future().result().isOk()).isFalse();
  }

  private CheckResult checked(Supplier<Future<Health>> health) {
    HealthChecks checks = RuntimeStateHealth.register(HealthChecks.create(vertx), health);
    return get(checks.checkStatus(RuntimeStateHealth.NAME));
  }
}
