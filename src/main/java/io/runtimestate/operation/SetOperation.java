package io.runtimestate.operation;

import java.util.List;

/**
 * Operations on sets: unique texts under one key, with one expiry for the whole. Removing the last
 * member removes the key and its expiry; adding and removing others keeps it.
 *
 * @param <R> the result
 */
public sealed interface SetOperation<R> extends Operation<R> {

  /** Adds a member; answers whether it is new. */
  record Add(String key, String member) implements SetOperation<Boolean> {
    /** Checks the arguments. */
    public Add {
      Checks.key(this, "key", key);
      Checks.text(this, "member", member);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Adds many members; answers how many distinct ones are new. Chunked. */
  record AddAll(String key, List<String> members) implements SetOperation<Long> {
    /** Checks and copies the arguments. */
    public AddAll {
      Checks.key(this, "key", key);
      members = Checks.list(this, "members", members, Checks::text);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Removes a member; answers whether it was there. */
  record Remove(String key, String member) implements SetOperation<Boolean> {
    /** Checks the arguments. */
    public Remove {
      Checks.key(this, "key", key);
      Checks.text(this, "member", member);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Removes many members; answers how many distinct ones were there. Chunked. */
  record RemoveAll(String key, List<String> members) implements SetOperation<Long> {
    /** Checks and copies the arguments. */
    public RemoveAll {
      Checks.key(this, "key", key);
      members = Checks.list(this, "members", members, Checks::text);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** Whether a text is a member. */
  record Contains(String key, String member) implements SetOperation<Boolean> {
    /** Checks the arguments. */
    public Contains {
      Checks.key(this, "key", key);
      Checks.text(this, "member", member);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** All members in byte order. */
  record Members(String key) implements SetOperation<List<String>> {
    /** Checks the argument. */
    public Members {
      Checks.key(this, "key", key);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** The number of members; 0 for a missing key. */
  record Size(String key) implements SetOperation<Long> {
    /** Checks the argument. */
    public Size {
      Checks.key(this, "key", key);
    }

    @Override
    public String toString() {
      return name();
    }
  }
}
