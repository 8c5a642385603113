package io.runtimestate.lease;

/** Something that happens at an instant; its own node in {@link Alarms}. */
abstract class Alarm {
  private static final int NOWHERE = -1;

  long due;
  int place = NOWHERE;

  /** Whether it is going to ring. */
  final boolean isSet() {
    return place != NOWHERE;
  }

  final void unset() {
    place = NOWHERE;
  }

  /** Happens on the loop, once, at or soon after the instant it was set to. */
  abstract void ring();
}
