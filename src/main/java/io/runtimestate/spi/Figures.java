package io.runtimestate.spi;

import io.runtimestate.data.StoreFigures;
import java.util.LinkedHashMap;
import java.util.Map;

/** The names of the numbers in {@link StateBackend#figures()}; absent means not applicable. */
public final class Figures {
  /** Calls accepted and not finished. */
  public static final String PENDING = "pending";

  /** Reads waiting for an entry. */
  public static final String BLOCKED_READS = "blockedReads";

  /** Auto-renewed lock leases held. */
  public static final String HELD_LEASES = "heldLeases";

  /** Semaphore permits held. */
  public static final String HELD_PERMITS = "heldPermits";

  /** Prefix of the figures of held leases and permits that were lost, followed by their kind. */
  public static final String LEASES_LOST = "leasesLost.";

  /** Whether releases by others are told of now: 1 if so, else 0. */
  public static final String NOTICES = "notices";

  /** Releases by others that somebody who waits was told of. */
  public static final String RELEASES_HEARD = "releasesHeard";

  /** Whether the user may not publish, not subscribe (1) or neither (2). */
  public static final String NOTICES_REFUSED = "noticesRefused";

  /** Entries trimmed while some group had not finished them. */
  public static final String TRIMMED_UNFINISHED = "trimmedUnfinished";

  /** Prefix of the figures of the store itself, followed by a component of StoreFigures. */
  public static final String STORE = "store.";

  private Figures() {}

  /** How many leases of a kind, {@code lock} or {@code permit}, were lost while they were held. */
  public static String leasesLost(String kind) {
    return LEASES_LOST + kind;
  }

  /** The figure of a store component, such as {@code values}. */
  public static String store(String component) {
    return STORE + component;
  }

  /** The figures of a store, each under its component's name. */
  public static Map<String, Long> ofStore(StoreFigures store) {
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put(store("values"), store.values());
    figures.put(store("sets"), store.sets());
    figures.put(store("scores"), store.scores());
    figures.put(store("streams"), store.streams());
    figures.put(store("counters"), store.counters());
    figures.put(store("buckets"), store.buckets());
    figures.put(store("windows"), store.windows());
    figures.put(store("events"), store.events());
    figures.put(store("locks"), store.locks());
    figures.put(store("permits"), store.permits());
    figures.put(store("bytes"), store.bytes());
    figures.put(store("evictions"), store.evictions());
    figures.put(store("expirations"), store.expirations());
    return figures;
  }

  /** A figure ({@code connections}, {@code pending}, {@code reconnects}) of a lane kind. */
  public static String lane(String lane, String figure) {
    return "lane." + lane + "." + figure;
  }
}
