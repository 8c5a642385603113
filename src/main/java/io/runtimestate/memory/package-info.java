/**
 * The embedded backend: plain tables owned by one event loop.
 *
 * <p>{@code Owner} is the only way in. On its own loop it works in place; everybody else hands over
 * a call that the loop runs in order. Handlers change state and return their own result; whoever
 * else is concerned is told by a task of their own event loop, so that a callback always sees
 * finished state and an empty stack. Nothing here locks.
 */
package io.runtimestate.memory;
