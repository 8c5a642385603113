package io.runtimestate.data;

import java.util.List;
import java.util.OptionalLong;

/**
 * Figures of the Redis server ({@code INFO clients memory stats}) and of this runtime's lanes. A
 * figure that the server does not report, or that cannot be read, is absent.
 *
 * @param memFragmentationBasisPoints the fragmentation ratio times 10 000, rounded
 * @param lanes in the order fast, control, blocking, admin
 */
public record RedisDiagnostics(
    OptionalLong connectedClients,
    OptionalLong blockedClients,
    OptionalLong totalConnectionsReceived,
    OptionalLong rejectedConnections,
    OptionalLong totalCommandsProcessed,
    OptionalLong instantaneousOpsPerSec,
    OptionalLong totalErrorReplies,
    OptionalLong expiredKeys,
    OptionalLong evictedKeys,
    OptionalLong keyspaceHits,
    OptionalLong keyspaceMisses,
    OptionalLong usedMemory,
    OptionalLong maxMemory,
    OptionalLong memFragmentationBasisPoints,
    List<LaneDiagnostics> lanes) {
  /** Copies the list. */
  public RedisDiagnostics {
    lanes = List.copyOf(lanes);
  }
}
