package io.runtimestate.memory;

import io.runtimestate.memory.table.Keyspace;
import io.runtimestate.memory.table.SetEntry;
import io.runtimestate.operation.SetOperation.Add;
import io.runtimestate.operation.SetOperation.AddAll;
import io.runtimestate.operation.SetOperation.Contains;
import io.runtimestate.operation.SetOperation.Members;
import io.runtimestate.operation.SetOperation.Remove;
import io.runtimestate.operation.SetOperation.RemoveAll;
import io.runtimestate.operation.SetOperation.Size;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Sets in memory. */
final class SetHandlers {
  private final Keyspace keyspace;

  SetHandlers(Store store) {
    this.keyspace = store.keyspace;
  }

  void register(Owner owner) {
    owner.on(Add.class, add -> add(add.key(), List.of(add.member())) > 0);
    owner.onChunked(AddAll.class, this::addAll);
    owner.on(Remove.class, remove -> remove(remove.key(), List.of(remove.member())) > 0);
    owner.onChunked(RemoveAll.class, this::removeAll);
    owner.on(Contains.class, this::contains);
    owner.on(Members.class, this::members);
    owner.on(Size.class, this::size);
  }

  private Chunks<String, Long> addAll(AddAll add) {
    long[] added = {0};
    return new Chunks<>(
        add.members(), members -> added[0] += add(add.key(), members), () -> added[0]);
  }

  private Chunks<String, Long> removeAll(RemoveAll remove) {
    long[] removed = {0};
    return new Chunks<>(
        remove.members(), members -> removed[0] += remove(remove.key(), members), () -> removed[0]);
  }

  /** Adds all or, if there is no room, none of them. */
  private int add(String key, List<String> members) {
    SetEntry set = set(key);
    Set<String> added = new HashSet<>(members);
    if (set != null) {
      added.removeIf(set::contains);
    }
    if (!added.isEmpty()) {
      long bytes = added.stream().mapToLong(SetEntry::bytesOf).sum();
      keyspace.budget().require(bytes + (set == null ? SetEntry.bytesOfKey(key) : 0));
      added.forEach(set == null ? create(key)::add : set::add);
    }
    return added.size();
  }

  private SetEntry create(String key) {
    SetEntry set = new SetEntry(key);
    keyspace.add(set);
    return set;
  }

  private int remove(String key, List<String> members) {
    SetEntry set = set(key);
    int removed = 0;
    for (String member : members) {
      removed += set != null && set.remove(member) ? 1 : 0;
    }
    if (set != null && set.size() == 0) {
      keyspace.remove(set);
    }
    return removed;
  }

  private boolean contains(Contains contains) {
    SetEntry set = set(contains.key());
    return set != null && set.contains(contains.member());
  }

  private List<String> members(Members members) {
    SetEntry set = set(members.key());
    return set == null ? List.of() : set.members();
  }

  private long size(Size size) {
    SetEntry set = set(size.key());
    return set == null ? 0 : set.size();
  }

  private SetEntry set(String key) {
    return keyspace.find(key, SetEntry.class);
  }
}
