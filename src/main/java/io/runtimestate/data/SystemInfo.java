package io.runtimestate.data;

import java.util.Optional;

/**
 * What a remote client needs to know of the backend it talks to.
 *
 * @param backend {@code memory} or {@code redis}
 * @param topology of Redis; absent for memory
 * @param serverVersion of Redis, if it could be read; absent for memory
 * @param keyPrefix the normalised prefix of all keys
 */
public record SystemInfo(
    String backend, Optional<String> topology, Optional<String> serverVersion, String keyPrefix) {
  @Override
  public String toString() {
    return "SystemInfo";
  }
}
