package io.runtimestate.data;

/**
 * The id of a stream's entry: two unsigned 64-bit halves, compared as numbers. The first is the
 * backend's unix time in milliseconds, the second tells entries of one millisecond apart.
 *
 * @param millis the first half, unsigned
 * @param sequence the second half, unsigned
 */
public record EntryId(long millis, long sequence) implements Comparable<EntryId> {
  /** Below every entry: {@code 0-0}, where a group starts that shall receive everything. */
  public static final EntryId ZERO = new EntryId(0, 0);

  /** The last possible id; a stream that has used it takes no more entries. */
  public static final EntryId LAST = new EntryId(-1, -1);

  private static final String MAX_HALF = "18446744073709551615";

  /**
   * The id of a text in canonical form, {@code <number>-<number>} without signs or leading zeros;
   * null for any other text, so that text and id always name each other.
   */
  public static EntryId parse(String text) {
    int dash = text.indexOf('-');
    boolean canonical = dash > 0 && isHalf(text, 0, dash) && isHalf(text, dash + 1, text.length());
    return canonical
        ? new EntryId(
            Long.parseUnsignedLong(text, 0, dash, 10),
            Long.parseUnsignedLong(text, dash + 1, text.length(), 10))
        : null;
  }

  /** The same, where a first half alone means that it is followed by {@code -0}. */
  public static EntryId parseStart(String text) {
    return isHalf(text, 0, text.length())
        ? new EntryId(Long.parseUnsignedLong(text), 0)
        : parse(text);
  }

  private static boolean isHalf(String text, int from, int to) {
    int digits = to - from;
    if (digits < 1 || digits > MAX_HALF.length() || digits > 1 && text.charAt(from) == '0') {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return digits < MAX_HALF.length() || text.substring(from, to).compareTo(MAX_HALF) <= 0;
  }

  /** The smallest id above this one; this one must not be {@link #LAST}. */
  public EntryId next() {
    return sequence == -1 ? new EntryId(millis + 1, 0) : new EntryId(millis, sequence + 1);
  }

  @Override
  public int compareTo(EntryId other) {
    int first = Long.compareUnsigned(millis, other.millis);
    return first == 0 ? Long.compareUnsigned(sequence, other.sequence) : first;
  }

  /** The canonical text. */
  @Override
  public String toString() {
    return Long.toUnsignedString(millis) + '-' + Long.toUnsignedString(sequence);
  }
}
