/**
 * The options of a runtime: mutable carriers with documented defaults, read from Java, JSON or the
 * environment and checked once by {@link io.runtimestate.config.RuntimeStateOptions#validate()}.
 *
 * <p>Every option is one line of the table of its section; JSON, copy, equality and the reduced
 * form without secrets are all derived from that table.
 */
package io.runtimestate.config;
