package io.runtimestate.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.BackendKind;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeConfigTest {
  private static final JsonObject MEMORY =
      new JsonObject()
          .put("backend", "memory")
          .put("keyPrefix", "file")
          .put("commandTimeout", 700)
          .put("closeTimeout", 900);

  @Test
  void of_fileAlone() {
    RuntimeStateOptions options = NodeConfig.of(MEMORY, Map.of());
    assertThat(options).isEqualTo(new RuntimeStateOptions(MEMORY));
  }

  @Test
  void of_aUrlVariableMeansRedis() {
    RuntimeStateOptions options = NodeConfig.of(MEMORY, Map.of("REDIS_URL", "redis://h:1"));
    assertThat(options.effectiveBackend()).isEqualTo(BackendKind.REDIS);
    assertThat(options.getRedis().getUrl()).isEqualTo("redis://h:1");
    assertThat(options.getKeyPrefix()).isEqualTo("file");
    assertThat(options.getCloseTimeout()).isEqualTo(Duration.ofMillis(900));
  }

  @Test
  void of_backendVariableWins() {
    Map<String, String> variables =
        Map.of("REDIS_URL", "redis://h:1", "RUNTIME_STATE_BACKEND", "memory");
    assertThat(NodeConfig.of(MEMORY, variables).effectiveBackend()).isEqualTo(BackendKind.MEMORY);
  }

  /** A variable counts because it is set, not because it differs from the default. */
  @Test
  void of_variablesThatSayTheDefault() {
    RuntimeStateOptions options =
        NodeConfig.of(
            MEMORY,
            Map.of(
                "RUNTIME_STATE_KEY_PREFIX", "rs",
                "VERTX_RUNTIME_STATE_COMMAND_TIMEOUT_MS", "2000",
                "RUNTIME_STATE_BACKEND", "auto"));
    assertThat(options.getKeyPrefix()).isEqualTo("rs");
    assertThat(options.getCommandTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(options.getBackend()).isEqualTo(BackendMode.AUTO);
  }

  @Test
  void of_blankVariablesAreNotSet() {
    Map<String, String> variables = Map.of("REDIS_URL", " ", "RUNTIME_STATE_KEY_PREFIX", "");
    assertThat(NodeConfig.of(MEMORY, variables)).isEqualTo(new RuntimeStateOptions(MEMORY));
  }

  @Test
  void read_shippedFiles() {
    assertThat(NodeConfig.read(NodeConfig.USUAL)).isNotNull();
    assertThat(NodeConfig.read(Path.of("conf", "redis.json"))).isNotNull();
  }

  @Test
  void read_notJson() {
    assertThatThrownBy(() -> NodeConfig.read(Path.of("pom.xml")))
        .hasMessage("the configuration pom.xml is not a JSON object");
  }
}
