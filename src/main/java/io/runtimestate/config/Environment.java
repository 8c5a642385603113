package io.runtimestate.config;

import io.runtimestate.data.Blank;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The variables that set options: the first non-blank one of an option wins, trimmed. */
final class Environment {
  static final List<String> URL_VARIABLES =
      List.of("VERTX_RUNTIME_STATE_REDIS_URL", "RUNTIME_STATE_REDIS_URL", "REDIS_URL");
  private static final List<String> KEY_PREFIX = variables("KEY_PREFIX");
  private static final List<String> BACKEND = variables("BACKEND");
  private static final List<String> COMMAND_TIMEOUT = variables("COMMAND_TIMEOUT_MS");
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  private final Map<String, String> variables;

  Environment(Map<String, String> variables) {
    this.variables = variables;
  }

  void read(RuntimeStateOptions target) {
    first(URL_VARIABLES).ifPresent(url -> target.getRedis().setUrl(url));
    first(KEY_PREFIX).ifPresent(target::setKeyPrefix);
    first(BACKEND).map(BackendMode::parse).ifPresent(target::setBackend);
    first(COMMAND_TIMEOUT).map(Environment::millis).ifPresent(target::setCommandTimeout);
  }

  private static List<String> variables(String end) {
    return List.of("VERTX_RUNTIME_STATE_" + end, "RUNTIME_STATE_" + end);
  }

  private Optional<String> first(List<String> names) {
    return names.stream()
        .map(name -> Blank.trim(variables.getOrDefault(name, "")))
        .filter(value -> !value.isEmpty())
        .findFirst();
  }

  private static Duration millis(String text) {
    Rules.environmentTimeout(DIGITS.matcher(text).matches(), COMMAND_TIMEOUT);
    Duration timeout = Duration.ofMillis(Long.parseLong(text));
    Rules.environmentTimeout(!timeout.isZero(), COMMAND_TIMEOUT);
    return timeout;
  }
}
