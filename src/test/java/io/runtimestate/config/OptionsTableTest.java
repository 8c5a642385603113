package io.runtimestate.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of options in README.md: each option that there is, with bounds that hold. */
class OptionsTableTest {
  private static final Pattern ROW =
      Pattern.compile("^\\| `([A-Za-z.]+)` \\| ([^|]*) \\| ([^|]+) \\|$", Pattern.MULTILINE);
  private static final Pattern RANGE = Pattern.compile("^(\\d+) to (\\d+)\\b.*");
  private static final Pattern LEAST = Pattern.compile("^(\\d+) or more\\b.*");
  private static final Pattern ABOVE = Pattern.compile("^above (\\d+)\\b.*");

  /** A row of the table. */
  private record Row(String option, String meaning) {}

  private static List<Row> rows() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    String table = readme.substring(readme.indexOf("| Option | Default |"));
    return ROW.matcher(table.substring(0, table.indexOf("\n\n")))
        .results()
        .map((MatchResult row) -> new Row(row.group(1), row.group(3)))
        .toList();
  }

  @Test
  void table_hasEveryOption() throws IOException {
    List<String> listed = rows().stream().map(Row::option).toList();
    Set<String> existing =
        Stream.of(
                named("", RuntimeStateOptions.class),
                named("memory.", MemoryOptions.class),
                named("redis.", RedisOptions.class),
                named("eventBus.", EventBusOptions.class))
            .flatMap(names -> names)
            .filter(name -> !Set.of("memory", "redis", "eventBus").contains(name))
            .collect(Collectors.toSet());
    assertThat(existing).hasSizeGreaterThan(30);
    assertThat(listed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(existing);
  }

  private static Stream<String> named(String section, Class<?> options) {
    return Arrays.stream(options.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()))
        .map(Field::getName)
        .map(name -> section + name);
  }

  @Test
  void table_boundsHold() throws IOException {
    int checked = 0;
    for (Row row : rows()) {
      Optional<long[]> bounds = bounds(row.meaning());
      if (bounds.isPresent() && !row.option().equals("keyPrefix")) { // whose bounds are bytes
        assertBounds(row.option(), bounds.get()[0], bounds.get()[1]);
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(12);
  }

  /** The least and the greatest value, where the row begins with them. */
  private static Optional<long[]> bounds(String meaning) {
    Matcher range = RANGE.matcher(meaning);
    Matcher least = LEAST.matcher(meaning);
    Matcher above = ABOVE.matcher(meaning);
    if (range.matches()) {
      return Optional.of(
          new long[] {Long.parseLong(range.group(1)), Long.parseLong(range.group(2))});
    } else if (least.matches()) {
      return Optional.of(new long[] {Long.parseLong(least.group(1)), Integer.MAX_VALUE});
    } else {
      return above.matches()
          ? Optional.of(new long[] {Long.parseLong(above.group(1)) + 1, Integer.MAX_VALUE})
          : Optional.empty();
    }
  }

  private static void assertBounds(String option, long least, long greatest) {
    assertThat(failure(option, least - 1)).as(option).contains(option);
    assertThat(failure(option, least)).as(option).isEmpty();
    assertThat(failure(option, greatest)).as(option).isEmpty();
    if (greatest < Integer.MAX_VALUE) {
      assertThat(failure(option, greatest + 1)).as(option).contains(option);
    }
  }

  /** Empty if the options are valid with that value. */
  private static String failure(String option, long value) {
    String[] names = option.split("\\.");
    JsonObject json = new JsonObject().put(names[names.length - 1], value);
    try {
      new RuntimeStateOptions(names.length == 1 ? json : new JsonObject().put(names[0], json))
          .validate();
      return "";
    } catch (RuntimeStateException invalid) {
      return invalid.getMessage();
    }
  }
}
