package io.runtimestate.bench;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The results of one scenario, one JSON object a line: the run, then comparisons with their
 * samples, and figures.
 */
final class Results implements AutoCloseable {
  private final PrintWriter out;
  private final List<JsonObject> samples = new ArrayList<>();

  Results(Scenario scenario, Arguments arguments) throws IOException {
    Files.createDirectories(arguments.out());
    Path file = arguments.out().resolve(scenario.name() + ".jsonl");
    out = new PrintWriter(Files.newBufferedWriter(file));
    write(
        new JsonObject()
            .put("type", "run")
            .put("scenario", scenario.name())
            .put("title", scenario.title())
            .put("command", arguments.toString())
            .put("machine", Machine.describe()));
  }

  void comparison(Comparison comparison) {
    JsonObject targets = new JsonObject();
    comparison.targets.forEach((contender, target) -> targets.put(contender, json(target)));
    write(
        new JsonObject()
            .put("type", "comparison")
            .put("comparison", comparison.name)
            .put("subject", comparison.contenders.get(0).name())
            .put("metric", comparison.metric.name())
            .put("note", comparison.note)
            .put("targets", targets));
  }

  void sample(Comparison comparison, Contender contender, int round, Sample sample) {
    JsonObject line =
        new JsonObject()
            .put("type", "sample")
            .put("comparison", comparison.name)
            .put("contender", contender.name())
            .put("round", round)
            .put("operations", sample.operations())
            .put("value", comparison.metric.of(sample))
            .put("cpu", sample.cpuNanosPerOperation())
            .put("server", sample.serverNanosPerOperation())
            .put("bytes", sample.bytesPerOperation())
            .put("p50", sample.p50())
            .put("p99", sample.p99());
    samples.add(line);
    write(line);
  }

  void figure(String name, double value, String unit, Target target) {
    write(
        new JsonObject()
            .put("type", "figure")
            .put("figure", name)
            .put("value", value)
            .put("unit", unit)
            .put("target", target == null ? null : json(target)));
  }

  /** The ratios of a comparison, as the report will show them. */
  String summary(Comparison comparison) {
    StringBuilder text = new StringBuilder(comparison.name);
    Ratios ratios = new Ratios(comparison.contenders.get(0).name(), samplesOf(comparison));
    for (String contender : ratios.contenders()) {
      text.append("\n  ").append(ratios.summary(contender));
    }
    return text.toString();
  }

  private List<JsonObject> samplesOf(Comparison comparison) {
    return samples.stream()
        .filter(sample -> sample.getString("comparison").equals(comparison.name))
        .toList();
  }

  private static JsonObject json(Target target) {
    return new JsonObject().put("bound", target.bound()).put("atMost", target.atMost());
  }

  private void write(JsonObject line) {
    out.println(line.encode());
    out.flush();
  }

  @Override
  public void close() {
    out.close();
  }
}
