package io.runtimestate.data;

/**
 * A lane kind of the Redis backend went down or came up.
 *
 * @param lane {@code fast}, {@code control}, {@code blocking} or {@code admin}
 */
public record ConnectionEvent(String lane, boolean up) {}
