package io.runtimestate;

import io.runtimestate.data.KeyTtl;
import io.runtimestate.data.ScanPage;
import io.runtimestate.data.Utf8;
import io.runtimestate.operation.KeyOperation;
import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Live data keys of any type: values, sets, scores and streams. Locks, limits and semaphores are
 * not data keys and cannot be reached from here. Argument rules are those of {@link KeyValues}.
 */
public final class Keys {
  private final Door door;

  Keys(Door door) {
    this.door = door;
  }

  /** Deletes a key; true if a live one existed. Readers blocked on a deleted stream fail. */
  public Future<Boolean> delete(String key) {
    return door.call(() -> new KeyOperation.Delete(key));
  }

  /**
   * Deletes many keys, at most 100 000; each piece of 1 000 is one atomic step.
   *
   * @return how many distinct live keys existed
   */
  public Future<Long> deleteMany(List<String> keys) {
    return door.call(() -> new KeyOperation.DeleteMany(keys));
  }

  /** Whether a live key exists. */
  public Future<Boolean> exists(String key) {
    return door.call(() -> new KeyOperation.Exists(key));
  }

  /** How long a key lives. */
  public Future<KeyTtl> ttl(String key) {
    return door.call(() -> new KeyOperation.Ttl(key));
  }

  /** Replaces the expiry of a live key, zero deletes it; true if a live one existed. */
  public Future<Boolean> expire(String key, Duration ttl) {
    return door.call(() -> new KeyOperation.Expire(key, ttl));
  }

  /** Removes the expiry of a live key; true if there was one. */
  public Future<Boolean> persist(String key) {
    return door.call(() -> new KeyOperation.Persist(key));
  }

  /** The first page of a scan; see {@link #scan(String, String, int)}. */
  public Future<ScanPage> scan(String pattern) {
    return scan(pattern, null, KeyOperation.Scan.DEFAULT_COUNT_HINT);
  }

  /**
   * One page of the live keys that match a pattern: literal text with an optional single trailing
   * {@code *}; every other character is literal. Keys that live during the whole scan appear at
   * least once; others may or may not.
   *
   * @param cursor of the page before with the same pattern; null for the first page
   * @param countHint advisory size of the page, 0 to 10 000
   */
  public Future<ScanPage> scan(String pattern, String cursor, int countHint) {
    return door.call(() -> new KeyOperation.Scan(pattern, Optional.ofNullable(cursor), countHint));
  }

  /** All live keys that match a pattern; see {@link #list(String, int)}. */
  public Future<List<String>> list(String pattern) {
    return list(pattern, KeyOperation.Scan.DEFAULT_COUNT_HINT);
  }

  /**
   * All live keys that match a pattern: complete, unique, in byte order. A helper that reads page
   * after page, each with a deadline of its own; it holds all the names at once.
   */
  public Future<List<String>> list(String pattern, int countHint) {
    Promise<List<String>> all = Callers.promise(door.vertx());
    collect(pattern, null, countHint, new TreeSet<>(Utf8.BYTE_ORDER), all);
    return all.future();
  }

  /** Page after page into one promise: a chain of futures would grow with the number of pages. */
  private void collect(
      String pattern,
      String cursor,
      int countHint,
      TreeSet<String> found,
      Promise<List<String>> all) {
    scan(pattern, cursor, countHint)
        .onFailure(all::fail)
        .onSuccess(
            page -> {
              found.addAll(page.keys());
              page.cursor()
                  .ifPresentOrElse(
                      next -> collect(pattern, next, countHint, found, all),
                      () -> all.complete(List.copyOf(found)));
            });
  }
}
