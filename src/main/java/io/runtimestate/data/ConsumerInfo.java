package io.runtimestate.data;

import java.time.Duration;

/**
 * A consumer that has received an entry.
 *
 * @param pending how many entries are pending for it
 * @param idle since it last received an entry; servers before Redis 7.2 may also count an empty
 *     read
 */
public record ConsumerInfo(String name, long pending, Duration idle) {
  @Override
  public String toString() {
    return "ConsumerInfo";
  }
}
