package io.runtimestate.data;

import java.math.BigInteger;
import java.util.Collection;

/**
 * The sum of the numbers that members of a window end with.
 *
 * <p>A member's number is the text after its last {@code :} if that is an optional single {@code +}
 * and one or more ASCII digits with a value of at most 2<sup>64</sup>−1; every other member counts
 * as 0.
 *
 * @param sum of all numbers, exact, at most 2<sup>64</sup>−1: a larger sum stays there
 * @param positiveCount how many members have a number above 0
 */
public record WindowStats(BigInteger sum, long positiveCount) {
  /** The statistics of an empty window. */
  public static final WindowStats EMPTY = new WindowStats(BigInteger.ZERO, 0);

  private static final BigInteger MAX =
      BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);
  private static final long MAX_TENTH = Long.divideUnsigned(-1L, 10);
  private static final int MAX_LAST_DIGIT = 5;

  /** The statistics of any number of members, in any order. */
  public static WindowStats fromMembers(Collection<String> members) {
    Sum sum = new Sum();
    members.forEach(member -> sum.add(numberOf(member)));
    return sum.result();
  }

  /** The number a member ends with as an unsigned 64-bit integer; 0 if it ends with none. */
  private static long numberOf(String member) {
    int colon = member.lastIndexOf(':');
    boolean plus = member.startsWith("+", colon + 1);
    return colon < 0 ? 0 : digits(member, colon + (plus ? 2 : 1));
  }

  private static long digits(String text, int from) {
    long number = 0;
    for (int i = from; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9 || !fits(number, digit)) {
        return 0;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  /** Whether ten times the unsigned number plus the digit is at most 2^64−1. */
  private static boolean fits(long number, int digit) {
    int order = Long.compareUnsigned(number, MAX_TENTH);
    return order < 0 || order == 0 && digit <= MAX_LAST_DIGIT;
  }

  /** Adds unsigned 64-bit integers without a big number for each. */
  private static final class Sum {
    private long sum;
    private boolean saturated;
    private long positive;

    void add(long number) {
      positive += number == 0 ? 0 : 1;
      sum += number;
      saturated |= Long.compareUnsigned(sum, number) < 0;
    }

    WindowStats result() {
      BigInteger exact = saturated ? MAX : new BigInteger(Long.toUnsignedString(sum));
      return new WindowStats(exact, positive);
    }
  }
}
