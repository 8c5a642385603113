package io.runtimestate.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TokensTest {
  @Test
  @DisplayName("10 tokens are the prefix and a random UUID, different on all threads")
  void tokens_differ() {
    Set<String> tokens = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 100_000).parallel().forEach(i -> tokens.add(Tokens.next("a:b")));
    assertThat(tokens).hasSize(100_000);
    for (String token : tokens.stream().limit(1_000).toList()) {
      assertThat(token).startsWith("a:b:");
      UUID uuid = UUID.fromString(token.substring(4));
      assertThat(uuid.version()).isEqualTo(4);
      assertThat(uuid.variant()).isEqualTo(2);
      assertThat(uuid.toString()).isEqualTo(token.substring(4));
    }
  }

  @Test
  @DisplayName("14.1.5 a token of one's own is kept, and different records differ otherwise")
  void tokens_inRecords() {
    var made = new LockOperation.TryAcquire("l", "o", Duration.ofSeconds(1));
    var again = new LockOperation.TryAcquire("l", "o", made.ttl(), made.token());
    assertThat(again).isEqualTo(made);
    assertThat(new LockOperation.TryAcquire("l", "o", made.ttl())).isNotEqualTo(made);
  }

  @Test
  @DisplayName("11.1 a resource that was normalised is not normalised further")
  void resource_isFixedPoint() {
    var once = new SemaphoreOperation.Holders("g", Optional.of(" admission:g: admission:g:r "));
    assertThat(once.resource()).contains("r");
    assertThat(new SemaphoreOperation.Holders("g", once.resource())).isEqualTo(once);
  }
}
