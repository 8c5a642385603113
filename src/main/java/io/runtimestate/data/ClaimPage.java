package io.runtimestate.data;

import java.util.List;

/**
 * One page of a claim.
 *
 * @param next where the next page starts; {@code 0-0} at the end of the pending list
 * @param entries taken over, in id order; may be empty although more pages follow
 * @param deletedIds pending ids whose entry was gone, dropped from the pending list
 */
public record ClaimPage(String next, List<QueueEntry> entries, List<String> deletedIds) {
  /** Copies the lists. */
  public ClaimPage {
    entries = List.copyOf(entries);
    deletedIds = List.copyOf(deletedIds);
  }

  /** Whether the pending list has been walked to its end. */
  public boolean isLast() {
    return next.equals("0-0");
  }

  @Override
  public String toString() {
    return "ClaimPage";
  }
}
