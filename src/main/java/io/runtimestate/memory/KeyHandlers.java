package io.runtimestate.memory;

import io.runtimestate.data.KeyTtl;
import io.runtimestate.data.ScanPage;
import io.runtimestate.data.Utf8;
import io.runtimestate.memory.table.DataEntry;
import io.runtimestate.memory.table.Entry;
import io.runtimestate.memory.table.Keyspace;
import io.runtimestate.operation.KeyOperation.Delete;
import io.runtimestate.operation.KeyOperation.DeleteMany;
import io.runtimestate.operation.KeyOperation.Exists;
import io.runtimestate.operation.KeyOperation.Expire;
import io.runtimestate.operation.KeyOperation.Persist;
import io.runtimestate.operation.KeyOperation.Scan;
import io.runtimestate.operation.KeyOperation.Ttl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keys of any type in memory. */
final class KeyHandlers {
  private static final int EXAMINED_PER_ASKED = 10;

  private final Keyspace keyspace;
  private final MemoryClock clock;

  KeyHandlers(Store store) {
    this.keyspace = store.keyspace;
    this.clock = store.clock;
  }

  void register(Owner owner) {
    owner.on(Delete.class, delete -> keyspace.delete(delete.key()));
    owner.onChunked(DeleteMany.class, this::deleteMany);
    owner.on(Exists.class, exists -> keyspace.find(exists.key()) != null);
    owner.on(Ttl.class, this::ttl);
    owner.on(Expire.class, this::expire);
    owner.on(Persist.class, this::persist);
    owner.on(Scan.class, this::scan);
  }

  private Chunks<String, Long> deleteMany(DeleteMany delete) {
    long[] deleted = {0};
    return new Chunks<>(
        delete.keys(),
        keys -> deleted[0] += keys.stream().filter(keyspace::delete).count(),
        () -> deleted[0]);
  }

  private KeyTtl ttl(Ttl ttl) {
    DataEntry entry = keyspace.find(ttl.key());
    if (entry == null) {
      return new KeyTtl.Missing();
    }
    return entry.deadline() == Entry.NEVER
        ? new KeyTtl.NoExpiry()
        : new KeyTtl.Remaining(Duration.ofMillis(clock.millisUntil(entry.deadline())));
  }

  private boolean expire(Expire expire) {
    if (expire.ttl().isZero()) {
      return keyspace.delete(expire.key());
    }
    DataEntry entry = keyspace.find(expire.key());
    if (entry != null) {
      keyspace.schedule(entry, clock.deadline(expire.ttl()));
    }
    return entry != null;
  }

  private boolean persist(Persist persist) {
    DataEntry entry = keyspace.find(persist.key());
    boolean expires = entry != null && entry.deadline() != Entry.NEVER;
    if (expires) {
      keyspace.schedule(entry, Entry.NEVER);
    }
    return expires;
  }

  private ScanPage scan(Scan scan) {
    long position = ScanCursor.read(scan, keyspace.epoch());
    if (!scan.isPrefix()) {
      return exact(scan.literal());
    }
    List<String> keys = new ArrayList<>();
    String prefix = scan.literal();
    long left = (long) scan.countHint() * EXAMINED_PER_ASKED;
    do {
      int[] examined = {1}; // an empty position is work too
      position = keyspace.scan(position, entry -> examine(entry, prefix, keys, examined));
      left -= examined[0];
    } while (position != 0 && left > 0 && keys.size() < scan.countHint());
    keys.sort(Utf8.BYTE_ORDER);
    return new ScanPage(keys, ScanCursor.write(scan, keyspace.epoch(), position));
  }

  private static void examine(DataEntry entry, String prefix, List<String> keys, int[] examined) {
    examined[0]++;
    if (entry.key().startsWith(prefix)) {
      keys.add(entry.key());
    }
  }

  private ScanPage exact(String key) {
    boolean live = !key.isEmpty() && keyspace.find(key) != null;
    return new ScanPage(live ? List.of(key) : List.of(), Optional.empty());
  }
}
