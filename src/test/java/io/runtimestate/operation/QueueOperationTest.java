package io.runtimestate.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.data.Fields;
import io.runtimestate.data.RuntimeStateException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class QueueOperationTest {
  private static final OptionalLong NO_LIMIT = OptionalLong.empty();

  @Test
  @DisplayName("9.2 9.5 starts and counts are brought into their normal form")
  void arguments_normalised() {
    assertThat(new QueueOperation.EnsureGroup("s", "g", "5").start()).isEqualTo("5-0");
    assertThat(new QueueOperation.EnsureGroup("s", "g", null).start()).isEqualTo("0-0");
    assertThat(new QueueOperation.EnsureGroup("s", "g", "$").isAtEnd()).isTrue();
    assertThat(new QueueOperation.Read("s", "g", "c", 0, null).count()).isEqualTo(1);
    assertThat(new QueueOperation.Append("s", Map.of("f", "v"), null).maxLen()).isEmpty();
  }

  @Test
  @DisplayName("0.2.4 fields are copied, in byte order")
  void fields_copied() {
    Map<String, String> given = new HashMap<>(Map.of("b", "2", "a", "1"));
    QueueOperation.Append append = new QueueOperation.Append("s", given, NO_LIMIT);
    given.clear();
    assertThat(append.fields()).containsExactly(Map.entry("a", "1"), Map.entry("b", "2"));
  }

  @Test
  @DisplayName("0.1 fields that were made elsewhere are checked all the same")
  void fields_checkedAgain() {
    Fields broken = Fields.of(Map.of("f", "\uD800"));
    assertThatThrownBy(() -> new QueueOperation.Append("s", broken, NO_LIMIT))
        .isInstanceOf(RuntimeStateException.class)
        .hasMessageContaining("fields[0].value");
    assertThatThrownBy(
            () -> new QueueOperation.Append("s", Fields.ofPairs(new String[0]), NO_LIMIT))
        .isInstanceOf(RuntimeStateException.class);
  }

  @Test
  @DisplayName(
      "where an entry is appended together with something else it has at most 3 900 fields")
  void fields_inOneStep() {
    Map<String, String> many = many(QueueOperation.MAX_FIELDS + 1);
    Map<String, String> most = many(QueueOperation.MAX_FIELDS);
    assertThat(new QueueOperation.Append("s", many, NO_LIMIT).fields()).hasSize(many.size());
    assertThat(new QueueOperation.Append("s", many, OptionalLong.of(0)).fields()).isEqualTo(many);
    assertThat(new QueueOperation.Append("s", most, OptionalLong.of(1)).fields()).isEqualTo(most);
    assertThatThrownBy(() -> new QueueOperation.Append("s", many, OptionalLong.of(1)))
        .hasMessageContaining("fields");
    assertThatThrownBy(() -> new QueueOperation.AppendAll("s", List.of(most, many), NO_LIMIT))
        .hasMessageContaining("entries[1]");
    assertThatThrownBy(
            () ->
                new QueueOperation.Transfer("s", "g", "1-0", "d", many, NO_LIMIT, Optional.empty()))
        .hasMessageContaining("fields");
  }

  private static Map<String, String> many(int count) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < count; i++) {
      map.put("f" + i, "v");
    }
    return map;
  }
}
