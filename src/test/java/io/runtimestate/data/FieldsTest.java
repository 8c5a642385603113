package io.runtimestate.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FieldsTest {
  @Test
  void of_ordersByBytesNotByChars() {
    Map<String, String> given = new LinkedHashMap<>();
    given.put("\uD83D\uDE00", "emoji");
    given.put("\uFB01", "ligature");
    given.put("", "empty name");
    given.put("a", "");
    assertThat(Fields.of(given).keySet()).containsExactly("", "a", "\uFB01", "\uD83D\uDE00");
    assertThat(Fields.of(given)).isEqualTo(given).hasSameHashCodeAs(given);
  }

  @Test
  void ofPairs_keepsTheLastValueOfARepeatedName() {
    Fields fields = Fields.ofPairs(new String[] {"b", "1", "a", "2", "b", "3", "b", "4"});
    assertThat(fields).containsExactly(Map.entry("a", "2"), Map.entry("b", "4"));
    assertThat(Fields.ofPairs(new String[] {"a", "1", "a", "2"})).isEqualTo(Map.of("a", "2"));
  }

  @Test
  void get_findsWhatIsThere() {
    Random random = new Random(3);
    Map<String, String> given = new TreeMap<>(Utf8.BYTE_ORDER);
    for (int i = 0; i < 200; i++) {
      given.put(Integer.toString(random.nextInt(1000)), "v" + i);
    }
    Fields fields = Fields.of(given);
    for (int i = 0; i < 1000; i++) {
      String name = Integer.toString(i);
      assertThat(fields.get(name)).isEqualTo(given.get(name));
      assertThat(fields.containsKey(name)).isEqualTo(given.containsKey(name));
    }
    assertThat(fields.get(null)).isNull();
  }

  @Test
  void fields_cannotBeChanged() {
    Fields fields = Fields.of(Map.of("a", "1"));
    assertThatThrownBy(() -> fields.put("a", "2"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(fields::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> fields.entrySet().iterator().next().setValue("2"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(Fields.of(fields)).isSameAs(fields);
  }
}
