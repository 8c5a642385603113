package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.spi.HashSlots;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeyspaceTest {
  private final Keyspace keys = new Keyspace("rs", true);

  @Test
  void layout() {
    assertThat(keys.data("a:b")).isEqualTo("rs:d:a:b");
    assertThat(keys.counter(7, "k")).isEqualTo("rs:rl:7:k");
    assertThat(keys.tokenBucket("k")).isEqualTo("rs:rl:tb:k");
    assertThat(keys.usageWindow("{u}")).isEqualTo("rs:ul:{u}");
    assertThat(keys.lock("a}b%~")).isEqualTo("rs:lk:{a%7Db%25%7E}");
    assertThat(keys.fence("x")).isEqualTo("rs:fn:{x}");
    assertThat(keys.semaphore("g", Optional.empty())).isEqualTo("rs:sm:{g}");
    assertThat(keys.semaphore("g", Optional.of("r"))).isEqualTo("rs:sm:{g~r}");
    assertThat(keys.raw("rs:d:a:b")).isEqualTo("a:b");
  }

  @Test
  void lockAndHistoryShareASlot() {
    for (String name : List.of("x", "}{", "a{b}", "{}", "%", "~}~")) {
      assertThat(HashSlots.of(keys.lock(name))).isEqualTo(HashSlots.of(keys.fence(name)));
    }
  }

  @Test
  void differentSemaphoresNeverShareAKey() {
    assertThat(
            List.of(
                keys.semaphore("a", Optional.of("b")),
                keys.semaphore("a:b", Optional.empty()),
                keys.semaphore("a~b", Optional.empty()),
                keys.semaphore("a", Optional.of("~b")),
                keys.semaphore("a%7Eb", Optional.empty())))
        .doesNotHaveDuplicates();
  }

  @Test
  void enforcesOneSlot() {
    var operation = new KvOperation.Get("k");
    assertThatThrownBy(() -> keys.requireOneSlot(operation, List.of("rs:d:a", "rs:d:b")))
        .hasMessageContaining("{tag}")
        .extracting(failure -> ((RuntimeStateException) failure).code())
        .isEqualTo(FailureCode.CROSS_SLOT);
    assertThatCode(() -> keys.requireOneSlot(operation, List.of("rs:d:{t}a", "rs:d:{t}b")))
        .doesNotThrowAnyException();
  }
}
