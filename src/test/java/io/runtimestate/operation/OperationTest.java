package io.runtimestate.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OperationTest {
  private static final String MARKER = "{m4rk3r}";

  static Stream<String> operations() {
    return OperationCatalog.all().stream().map(OperationType::name);
  }

  @Test
  @DisplayName("every operation and every argument has a rule here")
  void rules_complete() {
    assertThat(ArgumentRules.operations())
        .containsExactlyInAnyOrderElementsOf(operations().toList());
    for (OperationType type : OperationCatalog.all()) {
      assertThat(ArgumentRules.of(type.name()).keySet())
          .as(type.name())
          .containsExactlyElementsOf(
              Arrays.stream(type.recordClass().getRecordComponents())
                  .map(RecordComponent::getName)
                  .toList());
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  @DisplayName("C039 a bad argument is refused by the constructor, by name")
  void constructor_refuses(String operation) {
    ArgumentRules.of(operation)
        .forEach((name, rule) -> rule.bad().forEach(bad -> assertRefused(operation, name, bad)));
  }

  private static void assertRefused(String operation, String name, Object bad) {
    Map<String, Object> arguments = ArgumentRules.usualBut(operation, name, bad);
    RuntimeStateException refused =
        catchThrowableOfType(
            RuntimeStateException.class, () -> ArgumentRules.build(operation, arguments));
    assertThat(refused).as("%s: %s", operation, name).isNotNull();
    assertThat(refused.code()).isEqualTo(FailureCode.INVALID_INPUT);
    assertThat(refused.getMessage()).startsWith(operation + ": " + name).hasSizeLessThan(120);
    assertThat(refused.mayHaveBeenApplied()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("operations")
  @DisplayName("0.1 arguments at the edge of their rules are accepted")
  void constructor_acceptsEdges(String operation) {
    ArgumentRules.of(operation)
        .forEach(
            (name, rule) ->
                rule.good()
                    .forEach(
                        good ->
                            assertThat(
                                    ArgumentRules.build(
                                        operation, ArgumentRules.usualBut(operation, name, good)))
                                .isNotNull()));
  }

  @Test
  @DisplayName("0.2.3 null for an optional argument means absent")
  void optional_nullIsAbsent() {
    assertThat(new KvOperation.Set("k", "v", null, false).ttl()).isEmpty();
    assertThat(new KvOperation.SetMany(List.of(), null).ttl()).isEmpty();
    assertThat(new KvOperation.CompareAndSet("k", null, "v", null).expected()).isEmpty();
    assertThat(new KeyOperation.Scan("*", null, 1).cursor()).isEmpty();
  }

  @Test
  @DisplayName("0.3.1 operations hold durations in whole milliseconds, rounded up")
  void durations_roundedUp() {
    Optional<Duration> tiny = Optional.of(Duration.ofNanos(1_000_001));
    assertThat(new KvOperation.Set("k", "v", tiny, false).ttl()).contains(Duration.ofMillis(2));
    assertThat(new KeyOperation.Expire("k", tiny.get()).ttl()).isEqualTo(Duration.ofMillis(2));
  }

  @Test
  @DisplayName("4.7 a count hint is brought within its bounds")
  void countHint_clamped() {
    assertThat(new KeyOperation.Scan("*", Optional.empty(), 0).countHint()).isEqualTo(1);
    assertThat(new KeyOperation.Scan("*", Optional.empty(), 10_001).countHint()).isEqualTo(10_000);
  }

  @ParameterizedTest
  @MethodSource("operations")
  @DisplayName("C478 toString is the name and shows no argument")
  void toString_hidesArguments(String operation) {
    Class<?> type = OperationCatalog.find(operation).orElseThrow().recordClass();
    Operation<?> marked = (Operation<?>) new Marked(MARKER).make(type);
    assertThat(marked).hasToString(operation);
    for (RecordComponent component : type.getRecordComponents()) {
      assertThat(Marked.read(component, marked)).as(component.getName()).isNotNull();
    }
  }
}
