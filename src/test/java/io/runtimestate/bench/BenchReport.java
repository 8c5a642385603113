package io.runtimestate.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes {@code BENCHMARKS.md} from the results under {@code target/bench}.
 *
 * <pre>{@code
 * mvn -q -Pbench test-compile exec:java@report
 * }</pre>
 *
 * <p>It tells ratios: only those mean anything on another machine. Times stand beside them only
 * where one contender is compared with itself.
 */
public final class BenchReport {
  private static final String HEAD =
      """
      # Benchmarks

      Written by `mvn -q -Pbench test-compile exec:java@report` from the results of the commands
      below, and from the remarks beside the benchmarks; not by hand.

      All contenders of a table ran in one process, one after the other in every round, each round
      in another order, after warming up. A **ratio** is the median of the ratios of single rounds,
      with the lowest and the highest in parentheses; above 1 the first one is faster. **CPU** is
      the ratio of processor time per operation on the client side, **server CPU** on the server's
      (below 1: the first one needs less). **Bytes** are allocated per operation on the client side,
      first one / other one. A target is what the project works towards, not a promise.
      """;

  private final StringBuilder text = new StringBuilder();

  private BenchReport() {}

  /** Arguments: where the results are ({@code target/bench}) and where the report goes. */
  public static void main(String[] line) throws IOException {
    Path results = Path.of(line.length > 0 ? line[0] : "target/bench");
    Path report = Path.of(line.length > 1 ? line[1] : "BENCHMARKS.md");
    Files.writeString(report, new BenchReport().write(results));
    System.out.println(report.toAbsolutePath());
  }

  private String write(Path directory) throws IOException {
    List<List<JsonObject>> runs = runs(directory);
    text.append(HEAD);
    machines(runs);
    runs.forEach(this::run);
    jmh(directory.resolve("jmh.json"));
    return text.toString();
  }

  private static List<List<JsonObject>> runs(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".jsonl"))
          .sorted()
          .map(BenchReport::lines)
          .toList();
    }
  }

  private static List<JsonObject> lines(Path file) {
    try {
      return Files.readAllLines(file).stream().map(JsonObject::new).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private void machines(List<List<JsonObject>> runs) {
    Map<JsonObject, List<String>> machines = new LinkedHashMap<>();
    for (List<JsonObject> run : runs) {
      machines
          .computeIfAbsent(run.get(0).getJsonObject("machine"), machine -> new ArrayList<>())
          .add(run.get(0).getString("scenario"));
    }
    machines.forEach(this::machine);
  }

  private void machine(JsonObject machine, List<String> scenarios) {
    text.append("\n## Machine of ").append(String.join(", ", scenarios)).append("\n\n");
    machine.forEach(
        part ->
            text.append("* ")
                .append(part.getKey())
                .append(": ")
                .append(part.getValue())
                .append('\n'));
  }

  private void run(List<JsonObject> run) {
    JsonObject head = run.get(0);
    text.append("\n## ").append(head.getString("title")).append("\n\n");
    text.append("    mvn -q -Pbench test-compile exec:java@bench -Dexec.args=\"")
        .append(head.getString("command"))
        .append("\"\n");
    comparisons(run);
    figures(run);
    remarks(head.getString("scenario"));
  }

  /** What the figures do not say themselves: where the time goes, why a target was missed. */
  private void remarks(String scenario) {
    try (InputStream remarks = BenchReport.class.getResourceAsStream(scenario + ".md")) {
      if (remarks != null) {
        text.append('\n').append(new String(remarks.readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private void comparisons(List<JsonObject> run) {
    Map<Boolean, List<JsonObject>> byCost =
        ofType(run, "comparison").stream()
            .collect(Collectors.partitioningBy(line -> line.getString("metric").equals("COST")));
    if (!byCost.get(true).isEmpty()) {
      text.append(new CostTable(byCost.get(true), ofType(run, "sample")).write());
    }
    List<JsonObject> comparisons = byCost.get(false);
    if (!comparisons.isEmpty()) {
      text.append("\n| | first / other | ratio | CPU | server CPU | bytes | target |\n");
      text.append("| --- | --- | --- | --- | --- | --- | --- |\n");
      comparisons.forEach(comparison -> comparison(comparison, run));
    }
  }

  private void comparison(JsonObject comparison, List<JsonObject> run) {
    String name = comparison.getString("comparison");
    Ratios ratios =
        new Ratios(
            comparison.getString("subject"),
            ofType(run, "sample").stream()
                .filter(sample -> sample.getString("comparison").equals(name))
                .toList());
    String label = name;
    for (String contender : ratios.contenders()) {
      JsonObject target = comparison.getJsonObject("targets").getJsonObject(contender);
      row(label, ratios, contender, target);
      label = "";
    }
  }

  private void row(String label, Ratios ratios, String contender, JsonObject target) {
    boolean process =
        ratios.bytes(contender) == 0 && Double.isInfinite(ratios.cpu(contender).median());
    cells(
        label,
        ratios.subject() + " / " + contender,
        ratios.ratio(contender).toString(),
        process ? "–" : ratios.cpu(contender).toString(),
        Double.isFinite(ratios.server(contender).median())
            ? ratios.server(contender).toString()
            : "–",
        process
            ? "–"
            : Math.round(ratios.bytes(ratios.subject()))
                + " / "
                + Math.round(ratios.bytes(contender)),
        verdict(target, ratios.ratio(contender).median()));
  }

  private void figures(List<JsonObject> run) {
    List<JsonObject> figures = ofType(run, "figure");
    if (!figures.isEmpty()) {
      text.append("\n| | measured | target |\n| --- | --- | --- |\n");
      figures.forEach(this::figure);
    }
  }

  private void figure(JsonObject figure) {
    double value = figure.getDouble("value");
    cells(
        figure.getString("figure"),
        number(value) + " " + figure.getString("unit"),
        verdict(figure.getJsonObject("target"), value));
  }

  static String verdict(JsonObject target, double value) {
    if (target == null) {
      return "";
    }
    Target bound = new Target(target.getDouble("bound"), target.getBoolean("atMost"));
    return bound + (bound.isMet(value) ? ", met" : ", **missed**");
  }

  /** Of every class, each benchmark as a multiple of the fastest. */
  private void jmh(Path file) throws IOException {
    if (Files.exists(file)) {
      Map<String, List<JsonObject>> classes = new LinkedHashMap<>();
      for (Object each : new JsonArray(Files.readString(file))) {
        JsonObject result = (JsonObject) each;
        String name = result.getString("benchmark");
        String owner = name.substring(0, name.lastIndexOf('.'));
        classes.computeIfAbsent(owner, unknown -> new ArrayList<>()).add(result);
      }
      classes.forEach(this::jmhClass);
    }
  }

  private void jmhClass(String owner, List<JsonObject> results) {
    text.append("\n## JMH: ").append(owner.substring(owner.lastIndexOf('.') + 1)).append("\n\n");
    text.append("The command is in the class. Cost is a multiple of the cheapest line.\n\n");
    text.append("| | cost | error | bytes |\n| --- | --- | --- | --- |\n");
    double least = results.stream().mapToDouble(BenchReport::score).min().orElse(1);
    results.forEach(result -> jmhRow(result, least));
  }

  private void jmhRow(JsonObject result, double least) {
    String name = result.getString("benchmark");
    JsonObject metric = result.getJsonObject("primaryMetric");
    JsonObject bytes =
        result.getJsonObject("secondaryMetrics", new JsonObject()).stream()
            .filter(entry -> entry.getKey().endsWith("gc.alloc.rate.norm"))
            .map(entry -> (JsonObject) entry.getValue())
            .findFirst()
            .orElse(null);
    double error =
        metric.getValue("scoreError") instanceof Number number ? number.doubleValue() : 0;
    cells(
        name.substring(name.lastIndexOf('.') + 1),
        number(score(result) / least),
        "± " + Math.round(100 * error / score(result)) + " %",
        bytes == null ? "" : "" + Math.round(bytes.getDouble("score")));
  }

  private static double score(JsonObject result) {
    return result.getJsonObject("primaryMetric").getDouble("score");
  }

  private static List<JsonObject> ofType(List<JsonObject> run, String type) {
    return run.stream().filter(line -> line.getString("type").equals(type)).toList();
  }

  private void cells(String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /** Three digits that mean something. */
  static String number(double value) {
    double size = Math.abs(value);
    int decimals = size < 10 ? 2 : size < 100 ? 1 : 0;
    return String.format(Locale.ROOT, "%." + decimals + "f", value)
        .replaceFirst("(\\.\\d*?)0+$", "$1")
        .replaceFirst("\\.$", "");
  }
}
