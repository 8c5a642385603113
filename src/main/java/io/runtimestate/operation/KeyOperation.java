package io.runtimestate.operation;

import io.runtimestate.data.KeyTtl;
import io.runtimestate.data.ScanPage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Operations on live data keys of any type: values, sets, scores and streams.
 *
 * @param <R> the result
 */
public sealed interface KeyOperation<R> extends Operation<R> {

  /** Deletes a key; answers whether a live one existed. */
  record Delete(String key) implements KeyOperation<Boolean> {
    /** Checks the argument. */
    public Delete {
      Checks.key(this, "key", key);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Deletes many keys; answers how many distinct live ones existed. Chunked. */
  record DeleteMany(List<String> keys) implements KeyOperation<Long> {
    /** Checks and copies the argument. */
    public DeleteMany {
      keys = Checks.list(this, "keys", keys, Checks::key);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Whether a live key exists; an empty stream does. */
  record Exists(String key) implements KeyOperation<Boolean> {
    /** Checks the argument. */
    public Exists {
      Checks.key(this, "key", key);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** How long a key lives. */
  record Ttl(String key) implements KeyOperation<KeyTtl> {
    /** Checks the argument. */
    public Ttl {
      Checks.key(this, "key", key);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Replaces the expiry of a live key; zero deletes it. Answers whether a live one existed. */
  record Expire(String key, Duration ttl) implements KeyOperation<Boolean> {
    /** Checks the arguments. */
    public Expire {
      Checks.key(this, "key", key);
      ttl = Checks.duration(this, "ttl", ttl);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Removes the expiry of a live key; answers whether there was one. */
  record Persist(String key) implements KeyOperation<Boolean> {
    /** Checks the argument. */
    public Persist {
      Checks.key(this, "key", key);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * One page of the live keys that match a pattern.
   *
   * @param pattern literal text with an optional single trailing {@code *}; all else is literal
   * @param cursor of the page before, with the same pattern; absent for the first page
   * @param countHint advisory size of the page; 0 acts as 1, above 10 000 as 10 000
   */
  record Scan(String pattern, Optional<String> cursor, @Default("512") int countHint)
      implements KeyOperation<ScanPage> {
    /** The size of a page when nothing is said about it. */
    public static final int DEFAULT_COUNT_HINT = 512;

    private static final int MAX_COUNT_HINT = 10_000;

    /** Checks the arguments and brings the hint within its bounds. */
    public Scan {
      Checks.text(this, "pattern", pattern);
      Checks.require(!pattern.isEmpty(), this, "pattern", "must not be empty");
      cursor = Checks.optionalText(this, "cursor", cursor);
      Checks.require(countHint >= 0, this, "countHint", "must not be negative");
      countHint = Math.max(1, Math.min(countHint, MAX_COUNT_HINT));
    }

    /** Whether the pattern matches every key that begins with {@link #literal()}. */
    public boolean isPrefix() {
      return pattern.endsWith("*");
    }

    /** The pattern without its trailing star. */
    public String literal() {
      return isPrefix() ? pattern.substring(0, pattern.length() - 1) : pattern;
    }

    @Override
    public String toString() {
      return name();
    }
  }
}
