package io.runtimestate.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Runs comparisons in alternating rounds and writes down what came out. */
final class Bench {
  private final Arguments arguments;
  private final Results results;
  private final int millis;
  private final int warmUpMillis;
  private boolean warm;

  Bench(Scenario scenario, Arguments arguments, Results results) {
    this.arguments = arguments;
    this.results = results;
    this.millis = arguments.millis(scenario.usualMillis());
    this.warmUpMillis = arguments.warmUpMillis(scenario.usualMillis());
  }

  Arguments arguments() {
    return arguments;
  }

  /** Compares; a comparison or contender the command line excludes is left out. */
  void compare(Comparison comparison) throws Exception {
    List<Contender> chosen = chosen(comparison);
    if (!arguments.wants(comparison.name) || chosen.isEmpty()) {
      return;
    }
    results.comparison(comparison);
    System.gc();
    warmUp(chosen);
    for (int round = 0; round < arguments.rounds(); round++) {
      for (Contender contender : order(chosen, round)) {
        results.sample(comparison, contender, round, contender.round(millis));
      }
    }
    System.out.println(results.summary(comparison));
  }

  /** A number that is not a ratio. */
  void figure(String name, double value, String unit, Target target) throws Exception {
    results.figure(name, value, unit, target);
    System.out.printf("%s: %s %s%n", name, BenchReport.number(value), unit);
  }

  private List<Contender> chosen(Comparison comparison) {
    return comparison.contenders.stream()
        .filter(
            contender ->
                contender == comparison.contenders.get(0)
                    || arguments.wantsContender(contender.name()))
        .toList();
  }

  /** The first comparison compiles the most. */
  private void warmUp(List<Contender> contenders) throws Exception {
    for (int pass = warm ? 1 : 0; pass < 2; pass++) {
      for (Contender contender : contenders) {
        contender.round(warmUpMillis);
      }
    }
    warm = true;
  }

  /** Every round begins with another contender, so that none always follows the same. */
  private static List<Contender> order(List<Contender> contenders, int round) {
    List<Contender> order = new ArrayList<>(contenders);
    Collections.rotate(order, -round);
    if (round / contenders.size() % 2 == 1) {
      Collections.reverse(order);
    }
    return order;
  }
}
