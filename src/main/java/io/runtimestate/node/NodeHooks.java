package io.runtimestate.node;

import io.runtimestate.config.RuntimeStateOptions;
import io.vertx.core.Deployable;
import io.vertx.core.json.JsonObject;
import io.vertx.launcher.application.HookContext;
import io.vertx.launcher.application.VertxApplicationHooks;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/** What the launcher asks of the node and tells it. */
final class NodeHooks implements VertxApplicationHooks {
  private final boolean configured;
  private final PrintStream out;
  private final PrintStream err;
  private RuntimeStateOptions options;

  NodeHooks(String[] args, PrintStream out, PrintStream err) {
    this.configured = Arrays.stream(args).anyMatch(NodeHooks::isConf);
    this.out = out;
    this.err = err;
  }

  private static boolean isConf(String arg) {
    String option = arg.toLowerCase(Locale.ROOT).replaceFirst("^--?", "");
    return arg.startsWith("-") && (option.equals("conf") || option.startsWith("conf="));
  }

  /** The launcher passes null for a file it could not read, and would go on with defaults. */
  @Override
  public JsonObject afterConfigParsed(JsonObject config) {
    try {
      if (configured && config == null) {
        throw new NodeFailure("-conf must name a JSON file, or be a JSON object");
      }
      options = config == null ? NodeConfig.usual() : NodeConfig.of(config);
      return options.toJsonWithSecrets();
    } catch (RuntimeException failure) {
      tell(failure);
      throw failure;
    }
  }

  @Override
  public Supplier<? extends Deployable> verticleSupplier() {
    return NodeVerticle::new;
  }

  @Override
  public void afterVerticleDeployed(HookContext context) {
    new Greeting(context.vertx().eventBus(), options).print(out);
  }

  @Override
  public void afterFailureToStartVertx(HookContext context, Throwable failure) {
    tell(failure);
  }

  @Override
  public void afterFailureToDeployVerticle(HookContext context, Throwable failure) {
    tell(failure);
    context.vertx().close();
  }

  @Override
  public void afterFailureToStopVertx(HookContext context, Throwable failure) {
    tell(failure);
  }

  private void tell(Throwable failure) {
    err.println("runtime-state: " + NodeFailure.text(failure));
  }
}
