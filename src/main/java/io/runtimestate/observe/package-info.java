/**
 * What can be seen of a runtime: statistics, metrics and health.
 *
 * <p>{@link io.runtimestate.observe.StatisticsBackend} counts, always. {@link
 * io.runtimestate.observe.MetricsBinding} only shows its numbers, in a Micrometer registry if there
 * is one, {@link io.runtimestate.observe.WorkerMeters} adds those of queue workers, and {@link
 * io.runtimestate.observe.RuntimeStateHealth} asks the backend. Micrometer and health checks are
 * optional: nothing else depends on the classes that name them.
 */
package io.runtimestate.observe;
