/**
 * Locks and permits that somebody looks after: waiting for them, renewing them, giving them back.
 *
 * <p>Everything here is built on the door and is therefore the same in memory, on Redis and over
 * the event bus. {@code WaitingLine} wraps the door: it sees every acquisition and release of its
 * runtime. {@code Upkeep} keeps one lease alive. Lines, renewals and their one timer live on one
 * event loop of the library, so that a busy caller holds up nobody, and nothing here locks.
 */
package io.runtimestate.lease;
