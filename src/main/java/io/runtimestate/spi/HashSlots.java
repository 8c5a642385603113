package io.runtimestate.spi;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The hash slots of Redis Cluster: CRC16 (XMODEM) of the key or of its hash tag, modulo 16384. */
public final class HashSlots {
  /** How many slots there are. */
  public static final int COUNT = 16_384;

  private static final int POLYNOMIAL = 0x1021;
  private static final int[] TABLE = table();

  private HashSlots() {}

  /** Whether all these physical keys are in one slot. */
  public static boolean isOne(List<String> physicalKeys) {
    return physicalKeys.stream().map(HashSlots::of).distinct().count() <= 1;
  }

  /** The slot of a physical key. */
  public static int of(String physicalKey) {
    return crc(tagged(physicalKey).getBytes(StandardCharsets.UTF_8)) % COUNT;
  }

  /** What decides: the text between the first brace and the next closing one, if there is any. */
  private static String tagged(String key) {
    int open = key.indexOf('{');
    int close = open < 0 ? -1 : key.indexOf('}', open + 1);
    return close > open + 1 ? key.substring(open + 1, close) : key;
  }

  private static int crc(byte[] bytes) {
    int crc = 0;
    for (byte b : bytes) {
      crc = (crc << 8 & 0xFFFF) ^ TABLE[(crc >> 8 ^ b) & 0xFF];
    }
    return crc;
  }

  private static int[] table() {
    int[] table = new int[256];
    for (int i = 0; i < table.length; i++) {
      table[i] = entry(i << 8);
    }
    return table;
  }

  private static int entry(int crc) {
    int value = crc;
    for (int bit = 0; bit < 8; bit++) {
      boolean carry = (value & 0x8000) != 0;
      value = value << 1 & 0xFFFF ^ (carry ? POLYNOMIAL : 0);
    }
    return value;
  }
}
