package io.runtimestate.observe;

import io.micrometer.core.instrument.Tags;

/** Which meter: its name and tags are part of the public contract. */
record MeterId(Form form, String name, Tags tags) {

  /** How a meter's numbers are to be read. */
  enum Form {
    /** A count of calls and the time they took. */
    TIMER,
    /** A number that only grows. */
    COUNTER,
    /** A number as it is now. */
    GAUGE
  }

  static MeterId timer(String name, String... tags) {
    return new MeterId(Form.TIMER, name, Tags.of(tags));
  }

  static MeterId counter(String name, String... tags) {
    return new MeterId(Form.COUNTER, name, Tags.of(tags));
  }

  static MeterId gauge(String name, String... tags) {
    return new MeterId(Form.GAUGE, name, Tags.of(tags));
  }
}
