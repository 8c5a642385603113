package io.runtimestate.config;

import static io.runtimestate.config.Invalid.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.BackendKind;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BackendModeTest {
  @Test
  @DisplayName("C001 modes are trimmed, ignore case and render in lower case")
  void parse_ignoresCaseAndWhiteSpace() {
    assertThat(BackendMode.parse("")).isEqualTo(BackendMode.AUTO).hasToString("auto");
    assertThat(BackendMode.parse(" AUTO ")).isEqualTo(BackendMode.AUTO);
    assertThat(BackendMode.parse("Memory")).isEqualTo(BackendMode.MEMORY).hasToString("memory");
    assertThat(BackendMode.parse("redis\u00A0")).isEqualTo(BackendMode.REDIS).hasToString("redis");
  }

  @Test
  @DisplayName("C002 an unknown mode is quoted with the three accepted words")
  void parse_quotesUnknownMode() {
    assertInvalid(() -> BackendMode.parse("postgres"))
        .contains("postgres", "auto", "memory", "redis");
    assertInvalid(() -> BackendMode.parse("redis://u:s3cr3t@h")).doesNotContain("s3cr3t");
  }

  @Test
  @DisplayName("C009 the most specific URL variable wins")
  void environment_precedenceOfUrls() {
    String[] names = Environment.URL_VARIABLES.toArray(String[]::new);
    Map<String, String> all =
        Map.of(names[0], " redis://a ", names[1], "redis://b", names[2], "redis://c");
    Map<String, String> two = Map.of(names[0], " ", names[1], "redis://b", names[2], "redis://c");
    Map<String, String> one = Map.of(names[2], "redis://c");
    assertThat(names)
        .containsExactly("VERTX_RUNTIME_STATE_REDIS_URL", "RUNTIME_STATE_REDIS_URL", "REDIS_URL");
    assertThat(urlOf(all)).isEqualTo("redis://a");
    assertThat(urlOf(two)).isEqualTo("redis://b");
    assertThat(urlOf(one)).isEqualTo("redis://c");
    assertThat(urlOf(Map.of())).isNull();
  }

  @Test
  @DisplayName("C010 auto with a URL variable is redis")
  void environment_autoWithUrlIsRedis() {
    RuntimeStateOptions options =
        RuntimeStateOptions.fromEnvironment(Map.of("REDIS_URL", "redis://localhost"));
    assertThat(options.getBackend()).isEqualTo(BackendMode.AUTO);
    assertThat(options.effectiveBackend()).isEqualTo(BackendKind.REDIS);
    assertThat(options.effectiveBusScope()).isEqualTo(BusScope.CLUSTER);
    assertThat(new RuntimeStateOptions().effectiveBackend()).isEqualTo(BackendKind.MEMORY);
    assertThat(new RuntimeStateOptions().effectiveBusScope()).isEqualTo(BusScope.LOCAL);
  }

  @Test
  void environment_setsPrefixBackendAndTimeout() {
    RuntimeStateOptions options =
        RuntimeStateOptions.fromEnvironment(
            Map.of(
                "RUNTIME_STATE_KEY_PREFIX", "app",
                "VERTX_RUNTIME_STATE_BACKEND", "MEMORY",
                "RUNTIME_STATE_BACKEND", "redis",
                "RUNTIME_STATE_COMMAND_TIMEOUT_MS", " 250 "));
    assertThat(options.effectiveKeyPrefix().text()).isEqualTo("app");
    assertThat(options.getBackend()).isEqualTo(BackendMode.MEMORY);
    assertThat(options.getCommandTimeout()).hasMillis(250);
  }

  @Test
  void environment_refusesTimeoutsThatAreNoPositiveInteger() {
    for (String bad : new String[] {"0", "-1", "1.5", "+5", "2s", "99999999999999999999"}) {
      Map<String, String> variables = Map.of("RUNTIME_STATE_COMMAND_TIMEOUT_MS", bad);
      assertInvalid(() -> RuntimeStateOptions.fromEnvironment(variables))
          .contains("commandTimeout", "RUNTIME_STATE_COMMAND_TIMEOUT_MS");
    }
  }

  private static String urlOf(Map<String, String> variables) {
    return RuntimeStateOptions.fromEnvironment(variables).getRedis().getUrl();
  }
}
