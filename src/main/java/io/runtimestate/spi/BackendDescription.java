package io.runtimestate.spi;

import io.runtimestate.data.BackendKind;
import io.runtimestate.data.SystemInfo;
import java.util.Optional;

/**
 * What does not change while a backend is open.
 *
 * @param topology of Redis; absent for memory
 * @param serverVersion of Redis, if it could be read; absent for memory
 * @param keyPrefix the normalised prefix of all keys
 * @param commandTimeoutMillis the timeout of calls that bring none; {@link StateBackend#NO_TIMEOUT}
 *     for none
 */
public record BackendDescription(
    BackendKind kind,
    Optional<String> topology,
    Optional<String> serverVersion,
    String keyPrefix,
    long commandTimeoutMillis) {

  /** The part of it that remote clients ask for. */
  public SystemInfo info() {
    return new SystemInfo(kind.word(), topology, serverVersion, keyPrefix);
  }

  @Override
  public String toString() {
    return "BackendDescription[" + kind.word() + "]";
  }
}
