package io.runtimestate.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.data.PermitDecision;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OperationCatalogTest {

  @Test
  @DisplayName("the catalogue lists every record of the sealed families, once")
  void all_isComplete() {
    List<Class<?>> listed =
        OperationCatalog.all().stream().<Class<?>>map(OperationType::recordClass).toList();
    assertThat(listed)
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(records(Operation.class).toList());
  }

  private static Stream<Class<?>> records(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(OperationCatalogTest::records)
        : Stream.of(type);
  }

  @Test
  @DisplayName("names are family.verb, the verb being the record's name; ordinals have no gaps")
  void names_followTheRecords() {
    List<OperationType> all = OperationCatalog.all();
    for (OperationType type : all) {
      String record = type.recordClass().getSimpleName();
      String verb = Character.toLowerCase(record.charAt(0)) + record.substring(1);
      String family = type.recordClass().getDeclaringClass().getSimpleName();
      assertThat(type.name()).isEqualTo(type.family() + "." + verb);
      assertThat(family.toLowerCase()).isEqualTo(type.family() + "operation");
      assertThat(all.get(type.ordinal())).isSameAs(type);
      assertThat(OperationCatalog.find(type.name())).containsSame(type);
      assertThat(OperationCatalog.typeOf(type.recordClass())).isSameAs(type);
    }
    assertThat(OperationCatalog.find("kv.nothing")).isEmpty();
  }

  @Test
  @DisplayName("an operation knows its name")
  void name_ofOperation() {
    for (OperationType type : OperationCatalog.all()) {
      Operation<?> operation = ArgumentRules.build(type.name(), ArgumentRules.usual(type.name()));
      assertThat(operation.name()).isEqualTo(type.name());
      assertThat(OperationCatalog.typeOf(operation)).isSameAs(type);
    }
  }

  @Test
  @DisplayName("0.7.1 exactly these operations have results that are refusals")
  void refusals_exact() {
    Set<String> refusing = Set.of("kv.setIfAbsent", "kv.compareAndSet", "kv.deleteIfEquals");
    Set<String> catalogued =
        OperationCatalog.all().stream()
            .filter(type -> type.resultType() == Boolean.class && type.isRefusal(false))
            .map(OperationType::name)
            .filter(name -> name.startsWith("kv.") || name.startsWith("key."))
            .collect(Collectors.toSet());
    assertThat(catalogued).isEqualTo(refusing);
    for (String name : refusing) {
      assertThat(OperationCatalog.find(name).orElseThrow().isRefusal(true)).isFalse();
    }
  }

  @Test
  @DisplayName("0.7.1 a busy lock, a saturated semaphore and a failed renewal are refusals")
  void refusals_ofLeases() {
    OperationType lock = OperationCatalog.typeOf(LockOperation.TryAcquire.class);
    assertThat(lock.isRefusal(Optional.empty())).isTrue();
    assertThat(lock.isRefusal(Optional.of("lease"))).isFalse();
    OperationType permit = OperationCatalog.typeOf(SemaphoreOperation.TryAcquire.class);
    assertThat(permit.isRefusal(new PermitDecision.Saturated("g", 1))).isTrue();
    assertThat(permit.isRefusal(new PermitDecision.Granted("g:1", 1))).isFalse();
    for (String family : List.of("lock", "semaphore")) {
      assertThat(OperationCatalog.find(family + ".renew").orElseThrow().isRefusal(false)).isTrue();
      assertThat(OperationCatalog.find(family + ".release").orElseThrow().isRefusal(false))
          .isFalse();
    }
  }

  @Test
  @DisplayName("3 4 12 kinds are those of the contract")
  void kinds_exact() {
    assertThat(named(OperationKind.NOT_REPEATABLE))
        .contains("kv.take", "kv.increment")
        .noneMatch(name -> name.startsWith("lock.") || name.startsWith("semaphore."));
    assertThat(named(OperationKind.READ))
        .contains("kv.get", "kv.getMany", "key.exists", "key.ttl", "key.scan")
        .contains("system.info", "system.time", "system.health", "system.statistics")
        .contains("system.diagnostics")
        .contains("lock.holder", "semaphore.snapshot", "semaphore.holders");
    assertThat(named(OperationKind.REPEATABLE))
        .contains("kv.set", "kv.setIfAbsent", "kv.setMany", "kv.compareAndSet")
        .contains("kv.deleteIfEquals", "key.delete", "key.deleteMany", "key.expire")
        .contains("key.persist");
    assertThat(OperationKind.READ.isWrite()).isFalse();
    assertThat(OperationKind.REPEATABLE.isWrite()).isTrue();
    assertThat(OperationKind.NOT_REPEATABLE.isWrite()).isTrue();
  }

  private static List<String> named(OperationKind kind) {
    return OperationCatalog.all().stream()
        .filter(type -> type.kind() == kind)
        .map(OperationType::name)
        .toList();
  }

  @Test
  @DisplayName("result types come from the records")
  void resultTypes_ofTheRecords() {
    assertThat(OperationCatalog.typeOf(KvOperation.GetMany.class).resultType().getTypeName())
        .isEqualTo("java.util.List<java.util.Optional<java.lang.String>>");
    assertThat(OperationCatalog.typeOf(KvOperation.Set.class).resultType()).isEqualTo(Void.class);
    assertThatThrownBy(() -> OperationType.resultOf(Object.class))
        .isInstanceOf(IllegalStateException.class);
  }
}
