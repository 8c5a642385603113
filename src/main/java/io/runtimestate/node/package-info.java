/**
 * The runnable node and what can be run against one.
 *
 * <p>{@link io.runtimestate.node.NodeLauncher} serves a runtime on the event bus until it is
 * stopped. {@link io.runtimestate.node.RequestReplay} drives one with a recorded request log, over
 * its addresses and with plain JSON, as any client would; {@link io.runtimestate.node.ReplayWorker}
 * is the process of one of its workers.
 */
package io.runtimestate.node;
