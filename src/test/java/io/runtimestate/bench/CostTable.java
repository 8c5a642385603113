package io.runtimestate.bench;

import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The part of the report that tells how the cost of a call grows with the store. */
final class CostTable {
  private static final String HEAD =
      """

      Processor time of the owner's event loop and bytes allocated there, per call, and after "×" the
      ratio to the smallest store: the median of single rounds, with the lowest and the highest.
      "Grows with" is what the operation promises at most.

      """;

  private final List<JsonObject> comparisons;
  private final List<JsonObject> samples;
  private final List<String> sizes;

  /** The comparisons by cost of a run, and its samples. */
  CostTable(List<JsonObject> comparisons, List<JsonObject> samples) {
    this.comparisons = comparisons;
    this.samples = samples;
    this.sizes =
        samples.stream()
            .filter(sample -> isOf(comparisons.get(0), sample))
            .map(sample -> sample.getString("contender"))
            .distinct()
            .sorted(Comparator.comparing(Long::valueOf))
            .toList();
  }

  /** Lines of a Markdown table, with what must stand before it. */
  String write() {
    StringBuilder text = new StringBuilder(HEAD);
    text.append(row(Stream.of("operation", "grows with"), sizes.stream().map("n = %s"::formatted)));
    text.append(row(Stream.of("---", "---"), sizes.stream().map(size -> "---")));
    comparisons.forEach(comparison -> text.append(row(comparison)));
    return text.toString();
  }

  private String row(JsonObject comparison) {
    List<JsonObject> own = samples.stream().filter(sample -> isOf(comparison, sample)).toList();
    return row(
        Stream.of(comparison.getString("comparison"), comparison.getString("note")),
        sizes.stream().map(size -> cell(new Ratios(size, own), comparison, size)));
  }

  private String cell(Ratios ratios, JsonObject comparison, String size) {
    String cost =
        BenchReport.number(ratios.value(size)) + " ns, " + Math.round(ratios.bytes(size)) + " B";
    String smallest = sizes.get(0);
    return size.equals(smallest)
        ? cost
        : cost + " × " + ratios.ratio(smallest) + verdict(ratios, comparison, size);
  }

  /** The target is that of the largest. */
  private String verdict(Ratios ratios, JsonObject comparison, String size) {
    String smallest = sizes.get(0);
    JsonObject target = comparison.getJsonObject("targets").getJsonObject(smallest);
    return size.equals(sizes.get(sizes.size() - 1)) && target != null
        ? "; " + BenchReport.verdict(target, ratios.ratio(smallest).median())
        : "";
  }

  private static boolean isOf(JsonObject comparison, JsonObject sample) {
    return sample.getString("comparison").equals(comparison.getString("comparison"));
  }

  private static String row(Stream<String> first, Stream<String> others) {
    return Stream.concat(first, others).collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
