package io.runtimestate.config;

import static io.runtimestate.config.Invalid.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuntimeStateOptionsTest {
  private static final String MARKER = "s3cr3t";

  @Test
  void defaults_areValid() {
    assertThat(new RuntimeStateOptions().validate())
        .isEqualTo(new RuntimeStateOptions())
        .hasSameHashCodeAs(new RuntimeStateOptions());
  }

  @Test
  @DisplayName("C003 redis without a URL names the three variables")
  void validate_redisWithoutUrl() {
    assertInvalid(new RuntimeStateOptions().setBackend(BackendMode.REDIS)::validate)
        .contains(Environment.URL_VARIABLES.toArray(String[]::new));
  }

  @ParameterizedTest
  @DisplayName("C004 C006 a number below its range is refused by name")
  @CsvSource({
    "maxBlockedReads, above 0",
    "memory.maxValues, above 0",
    "memory.maxBytes, above 0",
    "memory.maxPendingOperations, above 0",
    "memory.maxUsageWindows, above 0",
    "memory.maxUsageEvents, above 0",
    "redis.fastLanes, 1 to 64",
    "redis.blockingLanes, above 0",
    "redis.maxPendingCommands, above 0",
    "redis.maxPendingBytes, above 0",
    "commandTimeout, above 0",
    "redis.openTimeout, above 0"
  })
  void validate_zero(String option, String rule) {
    assertInvalid(json(option, 0)::validate).isEqualTo(option + " must be " + rule);
    assertInvalid(json(option, -1)::validate).isEqualTo(option + " must be " + rule);
  }

  @Test
  void validate_otherRanges() {
    assertInvalid(json("closeTimeout", -1)::validate).contains("closeTimeout");
    assertThat(json("closeTimeout", 0).validate().getCloseTimeout()).isZero();
    assertInvalid(json("redis.fastLanes", 65)::validate).contains("redis.fastLanes");
    assertInvalid(json("redis.database", -1)::validate).contains("redis.database");
    for (String base : new String[] {"", " \u00A0", ".a", "a."}) {
      assertInvalid(json("eventBus.base", base)::validate).startsWith("eventBus.base must ");
    }
  }

  @Test
  @DisplayName("C006 an explicit null as command timeout means none and survives")
  void commandTimeout_null() {
    RuntimeStateOptions none = new RuntimeStateOptions().setCommandTimeout(null).validate();
    assertThat(none).isNotEqualTo(new RuntimeStateOptions());
    assertThat(new RuntimeStateOptions(none).getCommandTimeout()).isNull();
    assertThat(none.toJson().containsKey("commandTimeout")).isTrue();
    String text = none.toJsonWithSecrets().encode();
    assertThat(text).contains("\"commandTimeout\":null");
    assertThat(new RuntimeStateOptions(new JsonObject(text))).isEqualTo(none);
  }

  @Test
  void json_nullMeansAbsent() {
    JsonObject json =
        new JsonObject(
            "{\"backend\":null,\"keyPrefix\":null,\"redis\":null,\"closeTimeout\":null}");
    assertThat(new RuntimeStateOptions(json)).isEqualTo(new RuntimeStateOptions());
  }

  @Test
  void durations_areRoundedUpAndBounded() {
    RuntimeStateOptions options = new RuntimeStateOptions();
    assertThat(options.setCommandTimeout(Duration.ofNanos(400_000)).getCommandTimeout())
        .hasMillis(1);
    assertThat(options.setCommandTimeout(Duration.ofDays(36_525)).validate()).isNotNull();
    for (long seconds : new long[] {36_525L * 86_400 + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      options.setCommandTimeout(Duration.ofSeconds(seconds, 999_999_999));
      assertInvalid(options::validate).contains("commandTimeout");
      assertInvalid(new RuntimeStateOptions(options.toJsonWithSecrets())::validate)
          .contains("commandTimeout");
    }
  }

  @Test
  @DisplayName("C012 neither credentials nor the prefix are ever shown, the host is")
  void secrets_areNeverShown() {
    RuntimeStateOptions options = new RuntimeStateOptions().setKeyPrefix("prefix" + MARKER);
    options
        .getRedis()
        .setUrl(
            "redis://user%MARK:pw%MARK@the-host:7000/4?token=%MARK#%MARK".replace("%MARK", MARKER))
        .addEndpoint("redis://:" + MARKER + "@other-host")
        .addEndpoint("broken " + MARKER)
        .setUsername("user" + MARKER)
        .setPassword("pw" + MARKER);
    assertThat(options.toString())
        .doesNotContain(MARKER)
        .contains("redis://the-host:7000/4", "redis://other-host:6379", "(13 characters)")
        .contains("(12 characters)");
    assertThat(options.toJson().encode()).doesNotContain(MARKER).contains("the-host");
    assertThat(options.getRedis().toString()).doesNotContain(MARKER).contains("the-host");
    assertThat(options.toJsonWithSecrets().encode()).contains("pw" + MARKER, "broken " + MARKER);
    assertInvalid(options::validate).doesNotContain(MARKER);
  }

  @ParameterizedTest
  @DisplayName("C015 an unknown name is refused by name, at every level")
  @ValueSource(strings = {"nope", "memory.nope", "redis.nope", "eventBus.nope", "redis.tls.nope"})
  void json_unknownName(String option) {
    assertInvalid(() -> json(option, 1)).contains(option);
    assertInvalid(() -> json(option, null)).contains(option);
  }

  @Test
  void json_unknownNameIsShownOnlyWhenPlain() {
    assertInvalid(() -> new RuntimeStateOptions(new JsonObject().put("redis://u:" + MARKER, 1)))
        .doesNotContain(MARKER)
        .contains("1 unknown option");
    assertInvalid(() -> json("redis.tls.a " + MARKER, 1)).doesNotContain(MARKER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "backend",
        "keyPrefix",
        "commandTimeout",
        "enforceSlots",
        "maxBlockedReads",
        "memory",
        "memory.valuePolicy",
        "memory.maxBytes",
        "redis.url",
        "redis.topology",
        "redis.endpoints",
        "redis.password",
        "redis.database",
        "redis.tls",
        "redis.openTimeout",
        "eventBus.expose",
        "eventBus.scope",
        "redis.tls.trustAll",
        "redis.tls.enabledCipherSuites",
        "redis.tls.sslHandshakeTimeoutUnit",
        "redis.tls.pemKeyCertOptions"
      })
  void json_wrongTypeNamesTheOption(String option) {
    JsonObject wrong = new JsonObject().put("value", MARKER);
    boolean object = option.equals("memory") || option.equals("redis.tls");
    assertInvalid(() -> json(option, object ? MARKER : wrong))
        .contains(option)
        .doesNotContain(MARKER);
    assertInvalid(() -> json(option, new JsonArray().add(1.5))).contains(option);
  }

  @Test
  void json_numbersMustBeIntegersInRange() {
    assertInvalid(() -> json("maxBlockedReads", 1.5)).contains("maxBlockedReads");
    assertInvalid(() -> json("maxBlockedReads", 1L << 31)).contains("maxBlockedReads");
    assertInvalid(() -> json("commandTimeout", "5")).contains("commandTimeout");
    assertThat(json("memory.maxBytes", 1L << 40).getMemory().getMaxBytes()).isEqualTo(1L << 40);
  }

  @Test
  void json_wordsIgnoreCase() {
    assertThat(json("memory.valuePolicy", "Reject").getMemory().getValuePolicy())
        .isEqualTo(ValuePolicy.REJECT);
    assertInvalid(() -> json("redis.protocol", MARKER))
        .isEqualTo("redis.protocol must be auto, resp2 or resp3");
  }

  @Test
  @DisplayName("C016 contradicting options are named both")
  void validate_contradictions() {
    assertInvalid(redis(r -> r.setTopology(RedisTopology.SENTINEL))::validate)
        .contains("redis.topology", "redis.masterName");
    assertInvalid(redis(r -> r.setMasterName("m"))::validate)
        .contains("redis.topology", "redis.masterName");
    RuntimeStateOptions both = redis(r -> r.setTopology(RedisTopology.SENTINEL).setMasterName("m"));
    assertThat(both.validate()).isNotNull();
    RuntimeStateOptions socket = redis(r -> r.setUrl("unix:///s"));
    assertThat(socket.validate()).isNotNull();
    socket.getRedis().setTopology(RedisTopology.CLUSTER);
    assertInvalid(socket::validate).contains("redis.topology", "redis.url");
    socket.getRedis().setUrl("redis://h").addEndpoint("unix:///s");
    assertInvalid(socket::validate).contains("redis.topology", "redis.endpoints");
  }

  @Test
  void validate_reportsInTheStatedOrder() {
    RuntimeStateOptions options =
        new RuntimeStateOptions()
            .setBackend(BackendMode.REDIS)
            .setKeyPrefix("")
            .setMaxBlockedReads(0);
    options.getMemory().setMaxValues(0);
    options.getRedis().setFastLanes(0);
    assertInvalid(options::validate).contains("REDIS_URL");
    options.getRedis().setUrl("broken");
    assertInvalid(options::validate).contains("redis.url");
    options.getRedis().setUrl("redis://h");
    assertInvalid(options::validate).contains("keyPrefix");
    options.setKeyPrefix("a");
    assertInvalid(options::validate).contains("maxBlockedReads");
    options.setMaxBlockedReads(1);
    assertInvalid(options::validate).contains("memory.maxValues");
    options.getMemory().setMaxValues(1);
    assertInvalid(options::validate).contains("redis.fastLanes");
  }

  @Test
  @DisplayName("C429 a blocked read has at least its block and a second")
  void effectiveReadTimeout_coversTheBlock() {
    assertThat(readTimeout(1_000L, 1_000)).hasMillis(2_000);
    assertThat(readTimeout(5_000L, 500)).hasMillis(5_000);
    assertThat(readTimeout(null, 500)).isNull();
  }

  @ParameterizedTest
  @DisplayName("C430 blocking lanes follow the processors, 4 to 16, and end at 64")
  @CsvSource({
    ", 1, 4",
    ", 8, 8",
    ", 128, 16",
    "1, 8, 8",
    "9, 8, 9",
    "65, 8, 64",
    "64, 1, 64",
    "2, 2, 4"
  })
  void effectiveBlockingLanes_areClamped(Integer requested, int processors, int lanes) {
    RedisOptions redis = new RedisOptions().setBlockingLanes(requested);
    assertThat(redis.effectiveBlockingLanes(processors)).isEqualTo(lanes);
    assertThat(redis.effectiveBlockingLanes()).isBetween(4, 64);
  }

  @Test
  @DisplayName("C430 zero blocking lanes are refused")
  void blockingLanes_zero() {
    assertInvalid(redis(r -> r.setBlockingLanes(0))::validate).contains("redis.blockingLanes");
  }

  private static Duration readTimeout(Long timeout, long block) {
    return RedisOptions.effectiveReadTimeout(
        timeout == null ? null : Duration.ofMillis(timeout), Duration.ofMillis(block));
  }

  private static RuntimeStateOptions redis(Consumer<RedisOptions> change) {
    RuntimeStateOptions options = new RuntimeStateOptions();
    change.accept(options.getRedis());
    return options;
  }

  /** Options read from the JSON that holds one value under a dotted name. */
  private static RuntimeStateOptions json(String option, Object value) {
    String[] names = option.split("\\.");
    Object nested = value;
    for (int i = names.length - 1; i >= 0; i--) {
      nested = new JsonObject().put(names[i], nested);
    }
    return new RuntimeStateOptions((JsonObject) nested);
  }
}
