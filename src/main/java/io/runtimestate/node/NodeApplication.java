package io.runtimestate.node;

import io.vertx.launcher.application.VertxApplication;
import io.vertx.launcher.application.VertxApplicationHooks;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The launcher without its own voice: the hooks tell what there is to tell. */
final class NodeApplication extends VertxApplication {
  /** Held, because a logger that nobody holds forgets its level. */
  private static final Logger LAUNCHER = Logger.getLogger(VertxApplication.class.getName());

  NodeApplication(String[] args, VertxApplicationHooks hooks) {
    super(args, hooks, false, false); // the parser prints the usage itself
    LAUNCHER.setLevel(Level.OFF);
  }
}
