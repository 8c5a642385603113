package io.runtimestate.redis;

import java.util.Locale;

/** What a connection is used for; the order is that of diagnostics. */
enum LaneKind {
  /** Everything short: held, pipelined, one per calling event loop. */
  FAST,
  /** Renewals, time and health: never behind anything large. */
  CONTROL,
  /** One blocked read per connection. */
  BLOCKING,
  /** Scans, bulk reads and deletes, INFO. */
  ADMIN;

  /** The word used in diagnostics, figures, events and connection names. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
