package io.runtimestate.operation;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * Random 128-bit identities in the text form of a UUID. Random bytes are drawn in bulk for each
 * thread: {@link UUID#randomUUID} takes a lock that all threads share, and far longer than the lock
 * operation it would serve.
 */
final class Tokens {
  private static final int DRAWN_AT_ONCE = 16;
  private static final long VERSION_BITS = 0xF000L;
  private static final long VERSION_4 = 0x4000L;
  private static final long VARIANT_BITS = 0xC000_0000_0000_0000L;
  private static final long VARIANT_IETF = 0x8000_0000_0000_0000L;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final ThreadLocal<ByteBuffer> DRAWN =
      ThreadLocal.withInitial(() -> ByteBuffer.allocate(DRAWN_AT_ONCE * 2 * Long.BYTES).limit(0));

  private Tokens() {}

  /** {@code <prefix>:<uuid>}. */
  static String next(String prefix) {
    ByteBuffer drawn = DRAWN.get();
    if (!drawn.hasRemaining()) {
      RANDOM.nextBytes(drawn.array());
      drawn.clear();
    }
    long high = drawn.getLong() & ~VERSION_BITS | VERSION_4;
    long low = drawn.getLong() & ~VARIANT_BITS | VARIANT_IETF;
    return prefix + ':' + new UUID(high, low);
  }
}
