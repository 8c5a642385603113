package io.runtimestate.observe;

import io.runtimestate.data.Health;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertx.ext.healthchecks.Status;
import java.util.function.Supplier;

/**
 * A runtime as a procedure of Vert.x health checks; an application that uses it needs {@code
 * vertx-health-check}. The status is up while the backend answers; its data are {@code backend},
 * {@code latency} in milliseconds and, when it is down, {@code message}.
 */
public final class RuntimeStateHealth {
  /** The name the procedure is registered under. */
  public static final String NAME = "runtime-state";

  private RuntimeStateHealth() {}

  /**
   * Registers the procedure under {@link #NAME}, with the time limit that health checks have by
   * default. A backend that takes longer to answer is down.
   *
   * @param health asks the runtime: {@code state::health}
   */
  public static HealthChecks register(HealthChecks checks, Supplier<Future<Health>> health) {
    return checks.register(NAME, procedure(health));
  }

  /** The procedure itself, to be registered under another name or with another time limit. */
  public static Handler<Promise<Status>> procedure(Supplier<Future<Health>> health) {
    return promise ->
        health
            .get()
            .map(RuntimeStateHealth::status)
            .otherwise(RuntimeStateHealth::down) // a closed runtime, for instance
            .onSuccess(promise::tryComplete); // after the time limit there is nothing to complete
  }

  private static Status status(Health health) {
    JsonObject data =
        new JsonObject()
            .put("backend", health.backend())
            .put("latency", health.latency().toMillis());
    health.message().ifPresent(message -> data.put("message", message));
    return new Status().setOk(health.up()).setData(data);
  }

  private static Status down(Throwable failure) {
    return Status.KO(new JsonObject().put("message", failure.getMessage()));
  }
}
