package io.runtimestate.node;

/**
 * Runs a node until it is stopped: {@code mvn -q compile exec:java}, with {@code -Dexec.args="-conf
 * conf/redis.json"} for another configuration than {@code conf/config.json}. The other options are
 * those of the Vert.x application launcher, such as {@code -cluster}.
 *
 * <p>Ctrl-C or SIGTERM undeploys, which closes everything. A node that cannot start says why in one
 * line and exits with another code than 0.
 */
public final class NodeLauncher {
  private NodeLauncher() {}

  /** Starts the node; comes back once it runs. */
  public static void main(String[] args) {
    int code = new NodeApplication(args, new NodeHooks(args, System.out, System.err)).launch();
    if (code != 0) {
      System.exit(code);
    }
  }
}
