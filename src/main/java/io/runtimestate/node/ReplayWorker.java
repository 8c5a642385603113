package io.runtimestate.node;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A worker in a process of its own, with a runtime of its own. The first line on its standard input
 * says what to do, and when the input ends, because whoever started it closed it or died, so does
 * the worker. It says when it is ready, and when it begins to hold what it counts.
 */
final class ReplayWorker {
  static final String READY = "ready";
  static final String HOLDING = "holding";

  private final Vertx vertx = Vertx.vertx();

  private ReplayWorker() {}

  /** Works and exits. */
  public static void main(String[] args) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try {
      new ReplayWorker().run(new JsonObject(in.readLine()), in);
    } catch (RuntimeException failure) {
      System.err.println("replay worker: " + NodeFailure.text(failure));
      System.exit(1);
    }
  }

  /** What such a process reads first. Its configuration has secrets, so it is no argument. */
  static String instruction(RuntimeStateOptions options, WorkOrder order) {
    return new JsonObject()
        .put("options", options.toJsonWithSecrets())
        .put("order", order.toJson())
        .encode();
  }

  private void run(JsonObject instruction, BufferedReader in) throws IOException {
    RuntimeStateOptions options = new RuntimeStateOptions(instruction.getJsonObject("options"));
    RequestWorker worker =
        new RequestWorker(
            Waiting.on(RuntimeState.open(vertx, options)),
            WorkOrder.of(instruction.getJsonObject("order")),
            () -> System.out.println(HOLDING));
    Waiting.on(worker.start());
    System.out.println(READY);
    in.read();
    Waiting.on(worker.close());
    Waiting.on(vertx.close()); // no future of a context: its loop ends as well
  }
}
