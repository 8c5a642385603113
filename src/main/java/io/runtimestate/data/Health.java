package io.runtimestate.data;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether the backend answers.
 *
 * @param latency of the probe
 * @param message why it is down; absent when up
 */
public record Health(boolean up, String backend, Duration latency, Optional<String> message) {}
