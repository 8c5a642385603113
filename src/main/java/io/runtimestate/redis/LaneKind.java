package io.runtimestate.redis;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a connection is used for; the order of lanes is that of diagnostics. */
enum LaneKind {
  /** Everything short: held, pipelined, one per calling event loop. */
  FAST,
  /** Renewals, time and health: never behind anything large. */
  CONTROL,
  /** One blocked read per connection. */
  BLOCKING,
  /** Scans, bulk reads and deletes, INFO. */
  ADMIN,
  /** No lane: it is told of releases and sends nothing. */
  NOTICES;

  /** Those that send commands. */
  static final Set<LaneKind> LANES = EnumSet.range(FAST, ADMIN);

  /** Whether it calls scripts. */
  boolean callsScripts() {
    return this != BLOCKING && this != NOTICES;
  }

  /** The word used in diagnostics, figures, events and connection names. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
