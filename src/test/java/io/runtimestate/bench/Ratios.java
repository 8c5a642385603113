package io.runtimestate.bench;

import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The samples of one comparison, seen from its first contender. */
final class Ratios {
  private final String subject;
  private final List<JsonObject> samples;

  Ratios(String subject, List<JsonObject> samples) {
    this.subject = subject;
    this.samples = samples;
  }

  /** Median and extremes. */
  record Spread(double median, double min, double max) {
    static Spread of(double... values) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      int middle = sorted.length / 2;
      double median =
          sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
      return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    @Override
    public String toString() {
      return BenchReport.number(median)
          + " ("
          + BenchReport.number(min)
          + "–"
          + BenchReport.number(max)
          + ")";
    }
  }

  String subject() {
    return subject;
  }

  /** The others, in the order of the first round. */
  List<String> contenders() {
    return samples.stream()
        .map(sample -> sample.getString("contender"))
        .distinct()
        .filter(name -> !name.equals(subject))
        .toList();
  }

  /** The ratio of the compared metric, round by round. */
  Spread ratio(String contender) {
    return perRound(contender, sample -> sample.getDouble("value"));
  }

  /** The ratio of the CPU time per operation; not a number for another process. */
  Spread cpu(String contender) {
    return perRound(contender, sample -> sample.getDouble("cpu"));
  }

  /** The ratio of the server's CPU time per operation; not a number without a server. */
  Spread server(String contender) {
    return perRound(contender, sample -> sample.getDouble("server", 0.0));
  }

  /** The median of the compared metric. */
  double value(String contender) {
    return Spread.of(of(contender, sample -> sample.getDouble("value"))).median();
  }

  /** The median of the bytes allocated per operation. */
  double bytes(String contender) {
    return Spread.of(of(contender, sample -> sample.getDouble("bytes"))).median();
  }

  String summary(String contender) {
    return String.format(
        Locale.ROOT,
        "%s / %s: %s, CPU %s%s, bytes %.0f / %.0f",
        subject,
        contender,
        ratio(contender),
        cpu(contender),
        Double.isFinite(server(contender).median()) ? ", server CPU " + server(contender) : "",
        bytes(subject),
        bytes(contender));
  }

  private Spread perRound(String contender, ToDoubleFunction<JsonObject> value) {
    double[] ours = of(subject, value);
    double[] theirs = of(contender, value);
    double[] ratios = new double[Math.min(ours.length, theirs.length)];
    Arrays.setAll(ratios, round -> ours[round] / theirs[round]);
    return Spread.of(ratios);
  }

  private double[] of(String contender, ToDoubleFunction<JsonObject> value) {
    return samples.stream()
        .filter(sample -> sample.getString("contender").equals(contender))
        .mapToDouble(value)
        .toArray();
  }
}
