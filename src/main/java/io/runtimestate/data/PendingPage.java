package io.runtimestate.data;

import java.util.List;

/**
 * One page of a pending list.
 *
 * @param next where the next page starts; {@code 0-0} at the end
 * @param entries in id order
 */
public record PendingPage(String next, List<PendingEntry> entries) {
  /** Copies the list. */
  public PendingPage {
    entries = List.copyOf(entries);
  }

  /** Whether the pending list has been walked to its end. */
  public boolean isLast() {
    return next.equals("0-0");
  }

  @Override
  public String toString() {
    return "PendingPage";
  }
}
