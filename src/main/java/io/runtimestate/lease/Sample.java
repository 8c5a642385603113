package io.runtimestate.lease;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** One number for a metrics system, with its labels in order. */
public record Sample(String name, Kind kind, Map<String, String> labels, long value) {
  /** How the number behaves. */
  public enum Kind {
    /** It goes up and down. */
    GAUGE,
    /** It only grows. */
    COUNTER
  }

  /** Copies the labels. */
  public Sample {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
  }

  @Override
  public String toString() {
    return "Sample[" + name + "]";
  }
}
