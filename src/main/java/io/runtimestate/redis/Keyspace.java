package io.runtimestate.redis;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.spi.HashSlots;
import java.util.List;
import java.util.Optional;

/**
 * The only place that builds a key.
 *
 * <p>Data keys and counters keep the caller's text, so that hash tags in it act as in Redis
 * Cluster. Names of locks and semaphores are put into braces of their own, with the three
 * characters escaped that could end them or join two names, so that all keys of one object share a
 * slot whatever its name is, and different names never share a key.
 */
final class Keyspace {
  private final String prefix;
  private final boolean oneSlot;

  /**
   * @param prefix normalised
   * @param oneSlot whether keys of one operation must share a slot
   */
  Keyspace(String prefix, boolean oneSlot) {
    this.prefix = prefix;
    this.oneSlot = oneSlot;
  }

  /** A value, set, score or stream. */
  String data(String key) {
    return prefix + ":d:" + key;
  }

  List<String> data(List<String> keys) {
    return keys.stream().map(this::data).toList();
  }

  /** The caller's text of a data key. */
  String raw(String dataKey) {
    return dataKey.substring(prefix.length() + 3);
  }

  /** A rate counter. */
  String counter(long bucket, String key) {
    return prefix + ":rl:" + bucket + ":" + key;
  }

  String tokenBucket(String key) {
    return prefix + ":rl:tb:" + key;
  }

  String usageWindow(String key) {
    return prefix + ":ul:" + key;
  }

  String lock(String key) {
    return prefix + ":lk:{" + escaped(key) + "}";
  }

  /** The last fencing token of a lock. */
  String fence(String key) {
    return prefix + ":fn:{" + escaped(key) + "}";
  }

  String semaphore(String gate, Optional<String> resource) {
    String keyed = resource.map(name -> "~" + escaped(name)).orElse("");
    return prefix + ":sm:{" + escaped(gate) + keyed + "}";
  }

  /** The channel that releases of locks and permits are told on. */
  String releases() {
    return prefix + ":released";
  }

  private static String escaped(String name) {
    return name.replace("%", "%25").replace("}", "%7D").replace("~", "%7E");
  }

  /** Fails CROSS_SLOT if slots are enforced and the physical keys do not share one. */
  void requireOneSlot(Operation<?> operation, List<String> physicalKeys) {
    if (oneSlot && !HashSlots.isOne(physicalKeys)) {
      throw new RuntimeStateException(
          FailureCode.CROSS_SLOT, operation.name() + ": put a common {tag} into the keys");
    }
  }
}
