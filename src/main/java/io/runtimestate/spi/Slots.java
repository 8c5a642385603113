package io.runtimestate.spi;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Hash slots as Redis Cluster computes them (CRC-16/XMODEM of the key, or of its hash tag, modulo
 * 16 384), for backends that are asked to enforce them.
 */
public final class Slots {
  private static final int SLOTS = 16_384;
  private static final int POLYNOMIAL = 0x1021;
  private static final int HIGHEST_BIT = 0x8000;

  private Slots() {}

  /** The slot of a physical key. */
  public static int of(String physicalKey) {
    int crc = 0;
    for (byte each : hashed(physicalKey).getBytes(StandardCharsets.UTF_8)) {
      crc ^= (each & 0xFF) << Byte.SIZE;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc & HIGHEST_BIT) == 0 ? crc << 1 : crc << 1 ^ POLYNOMIAL;
      }
    }
    return (crc & 0xFFFF) % SLOTS;
  }

  /**
   * Makes sure that the keys of one operation share a slot.
   *
   * @throws RuntimeStateException CROSS_SLOT if they do not
   */
  public static void requireShared(List<String> physicalKeys) {
    if (physicalKeys.stream().mapToInt(Slots::of).distinct().count() > 1) {
      throw new RuntimeStateException(
          FailureCode.CROSS_SLOT, "keys are in different slots: put a common {tag} into them");
    }
  }

  /** The text between the first brace and the next closing one, unless it is empty. */
  private static String hashed(String key) {
    int open = key.indexOf('{');
    int close = key.indexOf('}', open + 1);
    return open < 0 || close < 0 || close == open + 1 ? key : key.substring(open + 1, close);
  }
}
