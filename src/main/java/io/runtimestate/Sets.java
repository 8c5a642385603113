package io.runtimestate;

import io.runtimestate.operation.SetOperation;
import io.vertx.core.Future;
import java.util.List;

/**
 * Sets: unique texts under one key, with one expiry for the whole ({@link Keys#expire}).
 *
 * <p>Adding creates the key; removing the last member removes the key and its expiry; every other
 * change keeps the expiry. A missing key acts as an empty set. Argument rules are those of {@link
 * KeyValues}; a member may be empty. A live key of another type fails {@code WRONG_TYPE}.
 */
public final class Sets {
  private final Door door;

  Sets(Door door) {
    this.door = door;
  }

  /** Adds a member; true if it is new. */
  public Future<Boolean> add(String key, String member) {
    return door.call(() -> new SetOperation.Add(key, member));
  }

  /**
   * Adds many members, at most 100 000; each piece of 1 000 is one atomic step.
   *
   * @return how many distinct ones are new
   */
  public Future<Long> addAll(String key, List<String> members) {
    return door.call(() -> new SetOperation.AddAll(key, members));
  }

  /** Removes a member; true if it was there. */
  public Future<Boolean> remove(String key, String member) {
    return door.call(() -> new SetOperation.Remove(key, member));
  }

  /**
   * Removes many members, at most 100 000; each piece of 1 000 is one atomic step.
   *
   * @return how many distinct ones were there
   */
  public Future<Long> removeAll(String key, List<String> members) {
    return door.call(() -> new SetOperation.RemoveAll(key, members));
  }

  /** Whether a text is a member. */
  public Future<Boolean> contains(String key, String member) {
    return door.call(() -> new SetOperation.Contains(key, member));
  }

  /** All members of one instant in the order of their UTF-8 bytes; it holds all of them at once. */
  public Future<List<String>> members(String key) {
    return door.call(() -> new SetOperation.Members(key));
  }

  /** The number of members. */
  public Future<Long> size(String key) {
    return door.call(() -> new SetOperation.Size(key));
  }
}
