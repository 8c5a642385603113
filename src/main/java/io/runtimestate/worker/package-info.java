/**
 * The queue worker: reads, handles, retries, archives what cannot be handled, and keeps doing so.
 *
 * <p>It stands on the door alone, so it works the same on memory, on Redis and over the event bus.
 * A started worker is a {@code Shift}, confined to the context it was started on: {@code Intake}
 * receives entries, {@code Handling} runs the handler, {@code Parking} keeps failed entries until
 * they are due.
 */
package io.runtimestate.worker;
