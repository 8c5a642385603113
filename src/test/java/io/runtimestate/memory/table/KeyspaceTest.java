package io.runtimestate.memory.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KeyspaceTest {
  private final ExpiryIndex expiry = new ExpiryIndex();
  private long now = 100;
  private final MemoryBudget budget = new MemoryBudget(Long.MAX_VALUE, () -> false);
  private final Keyspace keyspace = new Keyspace(expiry, budget, () -> now);

  @Test
  @DisplayName("finds, counts and weighs what is in it")
  void add_andRemove() {
    Thing set = add("s", DataType.SET, 10);
    add("z", DataType.SCORE, 20);
    assertThat(keyspace.find("s")).isSameAs(set);
    assertThat(keyspace.count(DataType.SET)).isEqualTo(1);
    assertThat(keyspace.count(DataType.SCORE)).isEqualTo(1);
    assertThat(keyspace.count(DataType.VALUE)).isZero();
    set.grow(5);
    assertThat(budget.used()).isEqualTo(35);
    assertThat(keyspace.delete("s")).isTrue();
    assertThat(keyspace.delete("s")).isFalse();
    assertThat(set.removals).isEqualTo(1);
    assertThat(budget.used()).isEqualTo(20);
    assertThat(keyspace.count(DataType.SET)).isZero();
  }

  @Test
  @DisplayName("0.9.4 a live object of another class is WRONG_TYPE, a missing one is not")
  void find_ofClass() {
    add("s", DataType.SET, 1);
    assertThat(keyspace.find("s", Thing.class)).isNotNull();
    assertThat(keyspace.find("missing", ValueEntry.class)).isNull();
    assertThatThrownBy(() -> keyspace.find("s", ValueEntry.class))
        .isInstanceOfSatisfying(
            RuntimeStateException.class,
            failure -> assertThat(failure.code()).isEqualTo(FailureCode.WRONG_TYPE));
  }

  @Test
  @DisplayName("0.1 an expired object is absent for every purpose, and counted once")
  void expired_isAbsent() {
    Thing set = add("s", DataType.SET, 10);
    keyspace.schedule(set, 150);
    now = 149;
    assertThat(keyspace.find("s")).isSameAs(set);
    now = 150;
    List<DataEntry> seen = new ArrayList<>();
    keyspace.scan(0, seen::add);
    assertThat(seen).isEmpty();
    assertThat(keyspace.find("s", ValueEntry.class)).isNull();
    assertThat(keyspace.delete("s")).isFalse();
    assertThat(keyspace.expirations()).isEqualTo(1);
    assertThat(set.removals).isEqualTo(1);
    assertThat(budget.used()).isZero();
    assertThat(expiry.size()).isZero();
  }

  @Test
  @DisplayName("an object that leaves early leaves the expiry index too")
  void remove_cancels() {
    Thing set = add("s", DataType.SET, 10);
    keyspace.schedule(set, 150);
    keyspace.remove(set);
    assertThat(expiry.size()).isZero();
    assertThat(keyspace.expirations()).isZero();
  }

  @Test
  @DisplayName("the expiry index drops an object through its own expire")
  void expire_byIndex() {
    Thing set = add("s", DataType.SET, 10);
    keyspace.schedule(set, 150);
    expiry.pollExpired(150).expire();
    assertThat(keyspace.count(DataType.SET)).isZero();
    assertThat(keyspace.expirations()).isEqualTo(1);
  }

  private Thing add(String key, DataType type, long bytes) {
    Thing thing = new Thing(key, type, bytes);
    keyspace.add(thing);
    return thing;
  }

  private static final class Thing extends DataEntry {
    private final DataType type;
    private int removals;

    Thing(String key, DataType type, long bytes) {
      super(key, bytes);
      this.type = type;
    }

    @Override
    public DataType type() {
      return type;
    }

    @Override
    protected void removed() {
      removals++;
    }
  }
}
