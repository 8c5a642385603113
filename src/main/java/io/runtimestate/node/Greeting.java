package io.runtimestate.node;

import io.runtimestate.config.BusScope;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.BackendKind;
import io.runtimestate.operation.OperationCatalog;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.json.JsonObject;
import java.io.PrintStream;

/** What a node says when it runs: what it is, how to try it, how to change it, how to stop it. */
final class Greeting {
  private final EventBus bus;
  private final RuntimeStateOptions options;

  Greeting(EventBus bus, RuntimeStateOptions options) {
    this.bus = bus;
    this.options = options;
  }

  /** Asks the node before it speaks, so that what is printed was answered over the bus. */
  void print(PrintStream out) {
    bus.<JsonObject>request(address("system.health"), new JsonObject())
        .onComplete(
            answer ->
                out.print(
                    text(
                        answer.succeeded()
                            ? answer.result().body().encode()
                            : NodeFailure.text(answer.cause()))));
  }

  private String text(String health) {
    return """
        vertx-runtime-state runs with the %1$s.
          serves    %2$d operations at %3$s, to %4$s
          for you   vertx.eventBus().request("%5$s", new JsonObject().put("key", "visits").put("delta", 1))
          as JSON   {"key":"visits","delta":1} to %5$s answers {"result":1}
          just now  {} to %6$s answered %7$s
          %8$s
          stop      Ctrl-C
        """
        .formatted(
            backend(),
            OperationCatalog.all().size(),
            address("<family>.<verb>"),
            callers(),
            address("kv.increment"),
            address("system.health"),
            health,
            other());
  }

  private String backend() {
    return isMemory()
        ? "memory backend: its state ends with this process"
        : "redis backend at " + options.getRedis().toJson().getString("url");
  }

  private String callers() {
    return "verticles of " + (isLocal() ? "this process" : "this process and of its cluster");
  }

  private String other() {
    return isMemory()
        ? "on Redis  -Dexec.args=\"-conf conf/redis.json\", or REDIS_URL=redis://host:6379"
        : "in memory -Dexec.args=\"-conf conf/config.json\", without REDIS_URL";
  }

  private boolean isMemory() {
    return options.effectiveBackend() == BackendKind.MEMORY;
  }

  private boolean isLocal() {
    return options.effectiveBusScope() == BusScope.LOCAL;
  }

  private String address(String operation) {
    return options.getEventBus().getBase() + "." + operation;
  }
}
