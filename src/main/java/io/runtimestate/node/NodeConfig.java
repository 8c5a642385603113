package io.runtimestate.node;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.Blank;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The options of a node: a configuration, changed by the environment.
 *
 * <p>A variable that is set wins over the file, since a file belongs to what is deployed and the
 * environment to where. A URL variable also sets the backend to what {@code RUNTIME_STATE_BACKEND}
 * says, or else to {@code auto} and so to Redis: nobody gives a URL in order to stay in memory.
 */
final class NodeConfig {
  /** What a node runs with when it is told nothing. */
  static final Path USUAL = Path.of("conf", "config.json");

  private NodeConfig() {}

  /** The usual file, or all defaults where there is none. */
  static RuntimeStateOptions usual() {
    return Files.exists(USUAL) ? read(USUAL) : of(new JsonObject());
  }

  static RuntimeStateOptions read(Path file) {
    try {
      return of(new JsonObject(Files.readString(file)));
    } catch (IOException missing) {
      throw new NodeFailure("cannot read the configuration " + file);
    } catch (DecodeException malformed) {
      throw new NodeFailure("the configuration " + file + " is not a JSON object");
    }
  }

  static RuntimeStateOptions of(JsonObject config) {
    return of(config, System.getenv());
  }

  static RuntimeStateOptions of(JsonObject config, Map<String, String> variables) {
    RuntimeStateOptions options = new RuntimeStateOptions(config);
    RuntimeStateOptions given = RuntimeStateOptions.fromEnvironment(variables);
    String url = given.getRedis().getUrl();
    if (url != null) {
      options.getRedis().setUrl(url);
    }
    if (url != null || isSet(variables, "BACKEND")) {
      options.setBackend(given.getBackend());
    }
    if (isSet(variables, "KEY_PREFIX")) {
      options.setKeyPrefix(given.getKeyPrefix());
    }
    if (isSet(variables, "COMMAND_TIMEOUT_MS")) {
      options.setCommandTimeout(given.getCommandTimeout());
    }
    return options.validate();
  }

  private static boolean isSet(Map<String, String> variables, String option) {
    return Stream.of("VERTX_RUNTIME_STATE_", "RUNTIME_STATE_")
        .anyMatch(prefix -> !Blank.isBlank(variables.getOrDefault(prefix + option, "")));
  }
}
