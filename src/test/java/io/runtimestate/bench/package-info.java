/**
 * Benchmarks, compiled only by the profile {@code bench}.
 *
 * <p>Two kinds. JMH measures work inside one process ({@code *Benchmark}; each class tells its
 * command). {@link io.runtimestate.bench.LoadBench} drives backends from event loops and compares
 * contenders: rounds alternate, and what counts is the median of the ratios of one round. {@link
 * io.runtimestate.bench.BenchReport} turns the results under {@code target/bench} into {@code
 * BENCHMARKS.md}.
 *
 * <p>A new comparison is one class: a {@link io.runtimestate.bench.Scenario}, or, against Redis, a
 * {@link io.runtimestate.bench.RedisScenario} that only names its contenders. No test depends on
 * time, and none of this runs in the build.
 */
package io.runtimestate.bench;
