package io.runtimestate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PfxOptions;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Sets every property to something else than its default and demands it back. */
class OptionsRoundTripTest {
  private static final Map<Class<?>, Object> VALUES =
      Map.of(
          boolean.class,
          true,
          int.class,
          7,
          Integer.class,
          7,
          long.class,
          1L << 40,
          Long.class,
          1L << 40,
          Duration.class,
          Duration.ofMillis(1234),
          List.class,
          List.of("rediss://x", "rediss://y:1/2"));

  private static final Map<String, String> TEXTS =
      Map.of(
          "setKeyPrefix", "app",
          "setUrl", "rediss://UrlUser:UrlSecret@h:1/2",
          "setMasterName", "m",
          "setUsername", "UserSecret",
          "setPassword", "PasswordSecret",
          "setBase", "b");

  @Test
  @DisplayName("C014 every property survives copy and complete JSON")
  void everyProperty_survives() throws Exception {
    RuntimeStateOptions options = (RuntimeStateOptions) filled(RuntimeStateOptions.class);
    RuntimeStateOptions copy = new RuntimeStateOptions(options);
    String json = options.toJsonWithSecrets().encode();
    RuntimeStateOptions read = new RuntimeStateOptions(new JsonObject(json));
    assertSame(options, copy);
    assertSame(options, read);
    assertThat(copy).isEqualTo(options).hasSameHashCodeAs(options);
    assertThat(read).isEqualTo(options).hasSameHashCodeAs(options);
    assertThat(options.toJson().encode() + options)
        .doesNotContain("Secret", "UrlUser", "\"app\"")
        .contains("rediss://h:1/2");
  }

  @Test
  @DisplayName("C014 a copy shares nothing that can change")
  void copy_isIndependent() throws Exception {
    RuntimeStateOptions options = (RuntimeStateOptions) filled(RuntimeStateOptions.class);
    RuntimeStateOptions copy = new RuntimeStateOptions(options);
    options.getRedis().addEndpoint("rediss://z").getTls().setTrustAll(false);
    options.getMemory().setMaxValues(8);
    options.getEventBus().setBase("c");
    assertSame((RuntimeStateOptions) filled(RuntimeStateOptions.class), copy);
  }

  @Test
  @DisplayName("C014 every single property counts for equality")
  void everyProperty_countsForEquality() throws Exception {
    for (Class<?> type : List.of(MemoryOptions.class, RedisOptions.class, EventBusOptions.class)) {
      for (Method setter : setters(type)) {
        Object changed = type.getConstructor().newInstance();
        setter.invoke(changed, value(setter, changed));
        assertThat(changed).as(setter.getName()).isNotEqualTo(type.getConstructor().newInstance());
      }
    }
  }

  @Test
  @DisplayName("what asks for credentials is copied, counts for equality and has no JSON")
  void credentials_areAskedFor() {
    RedisOptions options =
        new RedisOptions()
            .setCredentials(
                () -> CompletableFuture.completedFuture(new RedisCredentials("u", "Secret")));
    assertThat(new RedisOptions(options)).isEqualTo(options).isNotEqualTo(new RedisOptions());
    assertThat(options.toJson()).isEqualTo(new RedisOptions().toJson());
    assertThat(new RedisCredentials("u", "Secret")).hasToString("RedisCredentials");
    assertThatThrownBy(options::toJsonWithSecrets).hasMessageContaining("redis.credentials");
  }

  private static Object filled(Class<?> type) throws Exception {
    Object options = type.getConstructor().newInstance();
    for (Method setter : setters(type)) {
      Object value = value(setter, options);
      assertThat(value).as(setter.getName()).isNotEqualTo(get(setter, options));
      setter.invoke(options, value);
    }
    return options;
  }

  private static Object value(Method setter, Object options) throws Exception {
    Class<?> type = setter.getParameterTypes()[0];
    if (type == String.class) {
      return TEXTS.get(setter.getName());
    }
    if (type.isEnum()) {
      return otherConstant(type, get(setter, options));
    }
    if (type == ClientSSLOptions.class) {
      return tls();
    }
    return type.getSimpleName().endsWith("Options") ? filled(type) : VALUES.get(type);
  }

  private static ClientSSLOptions tls() {
    return new ClientSSLOptions()
        .setTrustAll(true)
        .setKeyCertOptions(new PfxOptions().setPath("p").setPassword("KeySecret"));
  }

  private static Object otherConstant(Class<?> type, Object current) {
    return Arrays.stream(type.getEnumConstants()).filter(c -> c != current).findFirst().get();
  }

  private static List<Method> setters(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(m -> m.getName().startsWith("set") && !m.getName().equals("setCredentials"))
        .toList();
  }

  private static Object get(Method setter, Object options) throws Exception {
    String name = setter.getName().substring(3);
    boolean flag = setter.getParameterTypes()[0] == boolean.class;
    return options.getClass().getMethod((flag ? "is" : "get") + name).invoke(options);
  }

  private static void assertSame(Object expected, Object actual) throws Exception {
    for (Method setter : setters(expected.getClass())) {
      Object wanted = get(setter, expected);
      if (wanted.getClass().getPackage() == OptionsRoundTripTest.class.getPackage()
          && !wanted.getClass().isEnum()) {
        assertSame(wanted, get(setter, actual));
      } else if (!(wanted instanceof ClientSSLOptions)) {
        assertThat(get(setter, actual)).as(setter.getName()).isEqualTo(wanted);
      }
    }
    assertThat(actual).isEqualTo(expected);
  }
}
