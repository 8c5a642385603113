package io.runtimestate.data;

import java.util.List;
import java.util.Optional;

/**
 * One page of a scan.
 *
 * @param keys unique, in byte order; may be empty although more pages follow
 * @param cursor where to go on; absent when the scan is complete
 */
public record ScanPage(List<String> keys, Optional<String> cursor) {
  /** Copies the list. */
  public ScanPage {
    keys = List.copyOf(keys);
  }

  @Override
  public String toString() {
    return "ScanPage";
  }
}
