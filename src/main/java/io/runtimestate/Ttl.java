package io.runtimestate;

import java.time.Duration;
import java.util.Optional;

/** What becomes of the expiry of a value that is set. */
public final class Ttl {
  private static final Ttl NONE = new Ttl(Optional.empty(), false);
  private static final Ttl KEEP = new Ttl(Optional.empty(), true);

  private final Optional<Duration> duration;
  private final boolean keep;

  private Ttl(Optional<Duration> duration, boolean keep) {
    this.duration = duration;
    this.keep = keep;
  }

  /** The value never expires; an earlier expiry is cleared. */
  public static Ttl none() {
    return NONE;
  }

  /** The expiry of the live key that is replaced stays as it is; a new key gets none. */
  public static Ttl keep() {
    return KEEP;
  }

  /** The value expires after that time, rounded up to whole milliseconds; zero deletes the key. */
  public static Ttl after(Duration duration) {
    return new Ttl(Optional.ofNullable(duration), false);
  }

  Optional<Duration> duration() {
    return duration;
  }

  boolean isKeep() {
    return keep;
  }
}
