package io.runtimestate.fault;

import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RateDecision;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.UsageRule;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Work of many steps, of many callers, on one connection. */
class OneLaneTest {
  private static final int ROUNDS = 2_000;
  private static final int LIMIT = 700;
  private static final Duration LONG = Duration.ofMinutes(5);

  private final Vertx vertx = Vertx.vertx();
  private RedisServer server;
  private RuntimeState state;

  @BeforeEach
  void open() {
    server = RedisServer.start();
    RuntimeStateOptions options =
        new RuntimeStateOptions()
            .setBackend(BackendMode.REDIS)
            .setCommandTimeout(Duration.ofSeconds(20));
    options.getRedis().setUrl(server.uri()).setFastLanes(1);
    state = get(RuntimeState.open(vertx, options));
  }

  @AfterEach
  void close() {
    get(state.close());
    server.close();
    get(vertx.close());
  }

  @Test
  @DisplayName("C05 checks, dead letters and usage on one lane do not mix; the totals are exact")
  void totals() {
    List<RateScope> scopes =
        List.of(
            new RateScope("wide", "{t}wide", ROUNDS), new RateScope("narrow", "{t}narrow", LIMIT));
    List<UsageRule> rules = List.of(new UsageRule("{usage}", ROUNDS, LONG));
    get(state.queues().ensureGroup("q", "g"));
    List<Future<RateDecision>> rates = new ArrayList<>();
    List<Future<?>> others = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      rates.add(state.rates().consume(scopes, 1, LONG));
      others.add(appendAndBury("v" + i));
      others.add(state.usage().consume(rules, "e" + i));
    }
    others.forEach(Await::get);
    assertThat(rates.stream().filter(rate -> get(rate).isAllowed())).hasSize(LIMIT);
    assertThat(get(state.rates().count("{t}wide", 1))).isEqualTo(LIMIT);
    assertThat(get(state.usage().peek(rules, "next")).get(0).used()).isEqualTo(ROUNDS);
    assertThat(get(state.queues().stats("q", "g")).length()).isZero();
    assertThat(get(state.queues().stats("q", "g")).pending()).isZero();
    assertThat(get(state.queues().stats("dead")).length()).isEqualTo(ROUNDS);
  }

  private Future<?> appendAndBury(String value) {
    return state
        .queues()
        .append("q", Map.of("f", value))
        .compose(id -> state.queues().read("q", "g", "c", 1))
        .map(entries -> entries.get(0))
        .compose(this::bury);
  }

  private Future<?> bury(QueueEntry entry) {
    return state.queues().transfer("q", "g", entry.id(), "dead", entry.fields());
  }
}
