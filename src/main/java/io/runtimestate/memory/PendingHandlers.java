package io.runtimestate.memory;

import io.runtimestate.config.KeyPrefix;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.AckDelete;
import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.EntryId;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.PendingPage;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.TransferResult;
import io.runtimestate.memory.table.ConsumerGroup;
import io.runtimestate.memory.table.StreamEntry;
import io.runtimestate.memory.table.Streams;
import io.runtimestate.operation.QueueOperation.Ack;
import io.runtimestate.operation.QueueOperation.AckAndDelete;
import io.runtimestate.operation.QueueOperation.Claim;
import io.runtimestate.operation.QueueOperation.Extend;
import io.runtimestate.operation.QueueOperation.Nack;
import io.runtimestate.operation.QueueOperation.Pending;
import io.runtimestate.operation.QueueOperation.RemoveConsumer;
import io.runtimestate.operation.QueueOperation.Transfer;
import io.runtimestate.spi.HashSlots;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/** Pending lists in memory: what becomes of entries that were delivered. */
final class PendingHandlers {
  private static final int EXAMINED_PER_TAKEN = 10;
  private static final int MAX_EXAMINED = 10_000;
  private static final int MAX_TAKEN = 1_000;

  private final Store store;
  private final StreamLookup lookup;
  private final boolean enforceSlots;
  private final KeyPrefix prefix;

  PendingHandlers(Store store, RuntimeStateOptions options) {
    this.store = store;
    this.enforceSlots = options.isEnforceSlots();
    this.prefix = options.effectiveKeyPrefix();
    this.lookup = new StreamLookup(store.keyspace);
  }

  void register(Owner owner) {
    owner.on(Claim.class, this::claim);
    owner.onChunked(Ack.class, this::ack);
    owner.onChunked(AckAndDelete.class, this::ackAndDelete);
    owner.onChunked(Nack.class, this::nack);
    owner.onChunked(Extend.class, this::extend);
    owner.on(Transfer.class, this::transfer);
    owner.on(Pending.class, this::pending);
    owner.on(RemoveConsumer.class, this::removeConsumer);
  }

  private ClaimPage claim(Claim claim) {
    return lookup
        .group(claim.stream(), claim.group())
        .claim(
            claim.consumer(),
            claim.minIdle().toMillis(),
            EntryId.parse(claim.start()),
            Math.min(claim.count() * EXAMINED_PER_TAKEN, MAX_EXAMINED),
            Math.min(claim.count(), MAX_TAKEN),
            store.clock.now());
  }

  private Chunks<String, Long> ack(Ack ack) {
    return chunks(
        ack.stream(), ack.group(), ack.ids(), (group, id) -> group.finish(id, ack.consumer()));
  }

  private Chunks<String, AckDelete> ackAndDelete(AckAndDelete ack) {
    long[] acked = {0};
    long[] deleted = {0};
    return new Chunks<>(
        ack.ids(),
        ids -> {
          StreamEntry stream = lookup.stream(ack.stream());
          ConsumerGroup group = StreamLookup.group(stream, ack.group());
          acked[0] +=
              StreamLookup.count(
                  ids,
                  id -> {
                    boolean finished = group.finish(id, ack.consumer());
                    deleted[0] += finished && stream.remove(id) ? 1 : 0;
                    return finished;
                  });
        },
        () -> new AckDelete(acked[0], deleted[0]));
  }

  private Chunks<String, Long> nack(Nack nack) {
    return distinct(
        nack.stream(),
        nack.group(),
        nack.ids(),
        (group, id) -> group.nack(id, nack.consumer(), nack.countDelivery(), store.clock.now()));
  }

  private Chunks<String, Long> extend(Extend extend) {
    return distinct(
        extend.stream(),
        extend.group(),
        extend.ids(),
        (group, id) -> group.extend(id, extend.consumer(), store.clock.now()));
  }

  /** Where a repeated id would be counted again, because it stays pending. */
  private Chunks<String, Long> distinct(
      String stream, String group, List<String> ids, BiPredicate<ConsumerGroup, EntryId> done) {
    Set<EntryId> seen = new HashSet<>();
    return chunks(stream, group, ids, (found, id) -> seen.add(id) && done.test(found, id));
  }

  private Chunks<String, Long> chunks(
      String stream, String group, List<String> ids, BiPredicate<ConsumerGroup, EntryId> done) {
    long[] count = {0};
    return new Chunks<>(
        ids,
        piece -> {
          ConsumerGroup found = lookup.group(stream, group);
          count[0] += StreamLookup.count(piece, id -> done.test(found, id));
        },
        () -> count[0]);
  }

  /** Looks at the destination only for an entry that is pending, and grows it before the end. */
  private TransferResult transfer(Transfer transfer) {
    requireOneSlot(transfer);
    StreamEntry source = lookup.stream(transfer.source());
    ConsumerGroup group = StreamLookup.group(source, transfer.group());
    EntryId id = EntryId.parse(transfer.id());
    if (!group.isPending(id, transfer.consumer())) {
      return new TransferResult.NotPending();
    }
    EntryId moved =
        store
            .streams
            .append(
                transfer.destination(),
                lookup.find(transfer.destination()),
                List.of(transfer.fields()),
                transfer.maxLen().orElse(Streams.NO_LIMIT),
                source.bytesOf(id),
                store.clock.unixNow(),
                store.clock.now())
            .get(0);
    source.remove(id);
    return new TransferResult.Transferred(moved.toString(), 1, 1);
  }

  private void requireOneSlot(Transfer transfer) {
    List<String> streams =
        List.of(
            prefix.namespaceKey(transfer.source()), prefix.namespaceKey(transfer.destination()));
    if (enforceSlots && !HashSlots.isOne(streams)) {
      throw new RuntimeStateException(FailureCode.CROSS_SLOT, "put a common {tag} into the keys");
    }
  }

  private PendingPage pending(Pending pending) {
    return lookup
        .group(pending.stream(), pending.group())
        .page(
            EntryId.parse(pending.start()), pending.count(), pending.consumer(), store.clock.now());
  }

  private io.runtimestate.data.RemoveConsumer removeConsumer(RemoveConsumer remove) {
    return lookup
        .group(remove.stream(), remove.group())
        .remove(remove.consumer(), remove.discardPending());
  }
}
