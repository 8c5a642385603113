package io.runtimestate.bench;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares backends under load and writes the results for {@link BenchReport}.
 *
 * <pre>{@code
 * mvn -q -Pbench test-compile exec:java@bench -Dexec.args="memory redis-kv --rounds 7"
 * }</pre>
 *
 * <p>Without arguments it lists the scenarios and the options.
 */
public final class LoadBench {
  private static final Map<String, Scenario> SCENARIOS =
      Stream.<Supplier<Scenario>>of(
              MemoryScenario::new,
              MemoryControlScenario::new,
              MemoryScaleScenario::new,
              EventBusScenario::new,
              RedisKvScenario::new,
              RateScenario::new,
              QueueScenario::new,
              LockScenario::new,
              SemaphoreScenario::new,
              UsageScenario::new,
              LargeValueScenario::new,
              PauseScenario::new,
              LimitsScenario::new)
          .map(Supplier::get)
          .collect(
              Collectors.toMap(Scenario::name, Function.identity(), (a, b) -> a, TreeMap::new));

  private LoadBench() {}

  public static void main(String[] line) throws Exception {
    Arguments arguments = new Arguments(line);
    List<String> names =
        arguments.names().equals(List.of("all"))
            ? List.copyOf(SCENARIOS.keySet())
            : arguments.names();
    if (names.isEmpty() || !SCENARIOS.keySet().containsAll(names)) {
      System.out.println(Arguments.USAGE + "scenarios: all, or some of " + SCENARIOS.keySet());
      return;
    }
    for (String name : names) {
      run(SCENARIOS.get(name), arguments);
    }
  }

  private static void run(Scenario scenario, Arguments arguments) throws Exception {
    System.out.println("== " + scenario.title());
    try (Results results = new Results(scenario, arguments)) {
      scenario.run(new Bench(scenario, arguments, results));
    }
  }
}
