package io.runtimestate.eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.KeyTtl;
import io.runtimestate.operation.Default;
import io.runtimestate.operation.KeyOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordJsonTest {
  record Scope(String name, long limit, Optional<Duration> window) {}

  record Numbers(
      long integer,
      @Default("512") int small,
      @Default("+inf") double max,
      @Default("\"-inf\"") double min,
      OptionalDouble score,
      OptionalLong count,
      Optional<BigInteger> sum) {}

  record Parts(List<Scope> scopes, Map<String, String> fields, Map<FailureCode, Long> failures) {}

  /** As a lease: properties and equality, but no record. */
  public static final class Lease {
    private final String key;
    private final Duration ttl;

    public Lease(String key, Duration ttl) {
      this.key = key;
      this.ttl = ttl;
    }

    public String key() {
      return key;
    }

    public Duration ttl() {
      return ttl;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Lease lease && lease.key.equals(key) && lease.ttl.equals(ttl);
    }

    @Override
    public int hashCode() {
      return Objects.hash(key, ttl);
    }
  }

  static List<OperationType> catalogue() {
    return OperationCatalog.all();
  }

  @ParameterizedTest
  @MethodSource("catalogue")
  @DisplayName("C454 calls of every operation survive JSON and its text")
  void call_roundTrip(OperationType type) {
    OperationJson json = OperationJson.of(type);
    for (Operation<?> operation : Samples.operations(type)) {
      JsonObject written = json.writeCall(operation);
      assertThat(written.fieldNames()).containsExactlyElementsOf(components(type.recordClass()));
      assertThat(json.readCall(written)).isEqualTo(operation);
      assertThat(json.readCall(new JsonObject(written.encode()))).isEqualTo(operation);
    }
  }

  @ParameterizedTest
  @MethodSource("catalogue")
  @DisplayName("C454 results of every operation survive JSON and its text")
  void result_roundTrip(OperationType type) {
    OperationJson json = OperationJson.of(type);
    for (Object result : Samples.results(type.resultType())) {
      JsonObject written = json.writeReply(result);
      assertThat(json.readReply(written)).isEqualTo(result);
      assertThat(json.readReply(new JsonObject(written.encode()))).isEqualTo(result);
    }
  }

  @Test
  @DisplayName("C454 a sealed result carries its case in lower camel case")
  void sealed_type() {
    JsonForm form = RecordJson.of(KeyTtl.class);
    assertThat(form.write(new KeyTtl.Missing())).isEqualTo(json("{'type':'missing'}"));
    assertThat(form.write(new KeyTtl.NoExpiry())).isEqualTo(json("{'type':'noExpiry'}"));
    assertThat(form.write(new KeyTtl.Remaining(Duration.ofMillis(5))))
        .isEqualTo(json("{'type':'remaining','ttl':5}"));
    assertRefused(KeyTtl.class, json("{'ttl':5}"), "type is required");
    assertRefused(KeyTtl.class, json("{'type':'secret'}"), "type is none of the known cases");
    assertRefused(KeyTtl.class, json("{'type':'missing','ttl':5}"), "ttl is an unknown field");
  }

  @Test
  @DisplayName("C454 absent is null, a short duration is never zero")
  void absent_isNull() {
    JsonForm form = RecordJson.of(Scope.class);
    assertThat(form.write(new Scope("a", 1, Optional.empty())))
        .isEqualTo(json("{'name':'a','limit':1,'window':null}"));
    assertThat(form.write(new Scope("a", 1, Optional.of(Duration.ofNanos(1)))))
        .isEqualTo(json("{'name':'a','limit':1,'window':1}"));
  }

  @Test
  @DisplayName("C456 null equals absence, defaults included")
  void nullOrMissing() {
    Numbers expected =
        new Numbers(
            7,
            512,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            OptionalDouble.empty(),
            OptionalLong.empty(),
            Optional.empty());
    JsonForm form = RecordJson.of(Numbers.class);
    assertThat(form.read(json("{'integer':7}"))).isEqualTo(expected);
    assertThat(
            form.read(
                json(
                    "{'integer':7,'small':null,'max':null,'min':null,'score':null,'count':null,"
                        + "'sum':null}")))
        .isEqualTo(expected);
  }

  @Test
  @DisplayName("C456 a mismatch names the path of its field and no value")
  void mismatch_namesPath() {
    assertRefused(
        Parts.class, parts("{'name':'a','limit':1.5}"), "scopes[0].limit must be an integer");
    assertRefused(
        Parts.class, parts("{'name':'a','limit':1.0}"), "scopes[0].limit must be an integer");
    assertRefused(Parts.class, parts("{'name':4,'limit':1}"), "scopes[0].name must be a text");
    assertRefused(Parts.class, parts("{'limit':1}"), "scopes[0].name is required");
    assertRefused(Parts.class, parts("null"), "scopes[0] is required");
    assertRefused(Parts.class, parts("[]"), "scopes[0] must be an object");
    assertRefused(
        Parts.class, parts("{'limit':1,'nmae':'a'}"), "scopes[0].nmae is an unknown field");
    assertRefused(
        Parts.class, json("{'scopes':{},'fields':{},'failures':{}}"), "scopes must be an array");
    assertRefused(
        Parts.class,
        json("{'scopes':[],'fields':{'a':'b','secret':1},'failures':{}}"),
        "fields[1] must be a text");
    assertRefused(
        Parts.class,
        json("{'scopes':[],'fields':{},'failures':{'secret':1}}"),
        "failures[0] is none of the known words");
  }

  @Test
  @DisplayName("C456 an unknown name is shown only if it is short and harmless")
  void unknown_shownOrCounted() {
    String longest = "x".repeat(64);
    assertRefused(Scope.class, unknown(longest), longest + " is an unknown field");
    for (String hidden : List.of(longest + "x", "a:b", "a b", "é", "")) {
      assertRefused(Scope.class, unknown(hidden), "it has unknown fields: 1");
    }
  }

  @Test
  @DisplayName("C457 64-bit integers are exact, as numbers and as text; infinities are words")
  void numbers_exact() {
    JsonForm form = RecordJson.of(Numbers.class);
    Numbers extreme =
        new Numbers(
            Long.MIN_VALUE,
            Integer.MAX_VALUE,
            Double.NEGATIVE_INFINITY,
            1e300,
            OptionalDouble.of(Double.POSITIVE_INFINITY),
            OptionalLong.of((1L << 53) + 1),
            Optional.of(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE)));
    JsonObject written = (JsonObject) form.write(extreme);
    assertThat(written.encode())
        .isEqualTo(
            "{\"integer\":-9223372036854775808,\"small\":2147483647,\"max\":\"-inf\","
                + "\"min\":1.0E300,\"score\":\"+inf\",\"count\":9007199254740993,"
                + "\"sum\":\"18446744073709551615\"}");
    assertThat(form.read(new JsonObject(written.encode()))).isEqualTo(extreme);
    written.put("integer", "-9223372036854775808").put("count", "9007199254740993");
    assertThat(form.read(written)).isEqualTo(extreme);
  }

  @Test
  @DisplayName("C457 nothing else is an integer or a number")
  void numbers_refused() {
    for (Object json : List.of("1.0", "", " 1", "+1", "01", "1e3", "0x1", "-", true, 1.0, 1e18)) {
      assertRefused(long.class, json, "it must be an integer");
    }
    assertRefused(long.class, "9".repeat(1_000_000), "it must be an integer");
    assertRefused(long.class, "9223372036854775808", "it must be an integer of 64 bits");
    assertRefused(int.class, 1L << 31, "it must be an integer of 32 bits");
    for (Object json :
        List.of("1.0", "inf", "Infinity", true, Double.NaN, Double.NEGATIVE_INFINITY)) {
      assertRefused(double.class, json, "it must be a number, \"+inf\" or \"-inf\"");
    }
    assertThatThrownBy(() -> RecordJson.of(double.class).write(Double.NaN))
        .hasMessage("NaN has no JSON form");
  }

  @Test
  @DisplayName("O05 whatever a JSON object can hold means the same before and after its text")
  void oddTypes_sameAsText() {
    List<Object> odd =
        List.of(
            (1L << 53) + 1,
            Long.MAX_VALUE,
            new BigDecimal("9007199254740993"),
            new BigDecimal("1.50"),
            new BigDecimal("1E+3"),
            BigInteger.TEN.pow(30),
            1.5f,
            (short) 3,
            (byte) 4,
            Buffer.buffer("bytes"),
            new byte[] {1, 2},
            Instant.EPOCH,
            FailureCode.CLOSED,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            List.of(List.of(1)),
            Map.of("a", 1),
            new JsonArray().addNull(),
            new JsonObject());
    List<Class<?>> leaves =
        List.of(String.class, long.class, double.class, boolean.class, BigInteger.class);
    for (Class<?> leaf : leaves) {
      for (Object value : odd) {
        JsonObject local = new JsonObject().put("x", value);
        Object decoded = new JsonObject(local.encode()).getMap().get("x");
        assertThat(outcome(leaf, local.copy().getMap().get("x")))
            .as("%s as %s", value, leaf)
            .isEqualTo(outcome(leaf, decoded));
      }
    }
  }

  @Test
  void write_sharesNothing() {
    JsonForm form = RecordJson.of(Parts.class);
    Parts parts = new Parts(List.of(), Map.of("a", "b"), Map.of(FailureCode.CLOSED, 3L));
    JsonObject written = (JsonObject) form.write(parts);
    written.getJsonObject("fields").put("a", "c");
    written.getJsonArray("scopes").add(1);
    assertThat(form.write(parts))
        .isEqualTo(json("{'scopes':[],'fields':{'a':'b'},'failures':{'CLOSED':3}}"));
  }

  @Test
  void read_isImmutable() {
    Map<String, Object> fields = new HashMap<>(Map.of("a", "b"));
    JsonObject source = json("{'scopes':[],'failures':{}}").put("fields", new JsonObject(fields));
    Parts parts = (Parts) RecordJson.of(Parts.class).read(source);
    fields.put("a", "c");
    assertThat(parts.fields()).containsExactly(Map.entry("a", "b"));
    assertThatThrownBy(() -> parts.scopes().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> parts.fields().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void ofProperties_roundTrip() {
    ObjectForm form = RecordJson.ofProperties(Lease.class, List.of("key", "ttl"));
    Lease lease = new Lease("k", Duration.ofMillis(5));
    assertThat(form.write(lease)).isEqualTo(json("{'key':'k','ttl':5}"));
    assertThat(form.read(form.write(lease))).isEqualTo(lease);
  }

  @Test
  void underivable_isNamed() {
    assertThatThrownBy(() -> RecordJson.of(Object.class))
        .hasMessage("no JSON form can be derived for java.lang.Object");
  }

  @Test
  void readCall_defaults() {
    OperationType scan = OperationCatalog.find("key.scan").orElseThrow();
    assertThat(OperationJson.of(scan).readCall(json("{'pattern':'*'}")))
        .isEqualTo(new KeyOperation.Scan("*", Optional.empty(), 512));
  }

  private static Object outcome(Class<?> leaf, Object json) {
    try {
      return RecordJson.of(leaf).read(json);
    } catch (Mismatch mismatch) {
      return mismatch.text("it");
    }
  }

  private static void assertRefused(Class<?> type, Object json, String text) {
    Mismatch mismatch = catchThrowableOfType(Mismatch.class, () -> RecordJson.of(type).read(json));
    assertThat(mismatch.text("it")).isEqualTo(text);
  }

  private static JsonObject unknown(String name) {
    return json("{'name':'a','limit':1}").put(name, 1);
  }

  private static JsonObject parts(String scope) {
    return json("{'scopes':[" + scope + "],'fields':{},'failures':{}}");
  }

  private static JsonObject json(String singleQuoted) {
    return new JsonObject(singleQuoted.replace('\'', '"'));
  }

  private static List<String> components(Class<?> record) {
    return Stream.of(record.getRecordComponents()).map(component -> component.getName()).toList();
  }
}
