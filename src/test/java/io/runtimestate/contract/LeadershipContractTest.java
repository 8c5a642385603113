package io.runtimestate.contract;

import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runtimestate.RuntimeState;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.lease.AutoRenewedLease;
import io.runtimestate.lease.Leadership;
import io.runtimestate.support.Await;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;

/** Tasks that run while a lock is held. */
class LeadershipContractTest {
  private static final Duration TTL = seconds(2);
  private static final Duration TAKE_OVER = seconds(3);

  /** One reign: who, its lease, and how it ends. */
  private record Reign(int leader, AutoRenewedLease lease, Promise<Void> end) {}

  private static Leadership stand(
      RuntimeState state, String key, int number, Queue<Reign> reigns, Queue<String> events) {
    return state
        .locks()
        .runAsLeader(
            key,
            "o" + number,
            TTL,
            lease -> {
              Reign reign = new Reign(number, lease, Promise.promise());
              events.add("begin " + number);
              lease.onLost(reason -> events.add("lost " + number));
              reigns.add(reign);
              return reign.end().future();
            });
  }

  private static Reign next(Queue<Reign> reigns) {
    Await.until(() -> !reigns.isEmpty(), TAKE_OVER, "a leader begins");
    return reigns.poll();
  }

  @EachBackend
  @DisplayName("C402 of three candidates one leads at a time; another takes over")
  void leaders_takeOver(Fixture f) {
    Queue<Reign> reigns = new ConcurrentLinkedQueue<>();
    Queue<String> events = new ConcurrentLinkedQueue<>();
    List<Leadership> candidates = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      RuntimeState state = i < 2 ? f.state() : f.second();
      candidates.add(stand(state, f.key("l"), i, reigns, events));
    }
    Reign first = next(reigns);
    f.pass(ms(300));
    assertThat(reigns).isEmpty();
    assertThat(candidates).filteredOn(Leadership::isLeader).hasSize(1);
    first.end().complete();
    Reign second = next(reigns);
    assertThat(second.leader()).isNotEqualTo(first.leader());
    assertThat(first.lease().isHeld()).isFalse();
    get(candidates.get(second.leader()).close());
    assertThat(second.lease().isHeld()).isFalse();
    Reign third = next(reigns);
    assertThat(third.leader()).isNotEqualTo(second.leader());
    for (Leadership candidate : candidates) {
      get(candidate.close());
      get(candidate.close());
      assertThat(candidate.isLeader()).isFalse();
    }
    f.pass(ms(100));
    assertThat(reigns).isEmpty();
    assertThat(get(f.state().locks().holder(f.key("l")))).isEmpty();
    assertThat(events).noneMatch(event -> event.startsWith("lost"));
  }

  @EachBackend
  @DisplayName("C402 a lost reign is told before the next one begins")
  void leaders_lose(Fixture f) {
    Queue<Reign> reigns = new ConcurrentLinkedQueue<>();
    Queue<String> events = new ConcurrentLinkedQueue<>();
    Leadership one = stand(f.state(), f.key("l"), 1, reigns, events);
    Reign first = next(reigns);
    Leadership two = stand(f.state(), f.key("l"), 2, reigns, events);
    f.pass(ms(100));
    assertThat(get(f.state().locks().release(first.lease().lease()))).isTrue();
    Reign second = next(reigns);
    assertThat(second.leader()).isEqualTo(2);
    // who tries at that moment may hear of its success before the release is answered
    Await.until(() -> events.size() == 3, "both have heard of it");
    assertThat(events).startsWith("begin 1").contains("lost 1", "begin 2");
    first.end().complete(); // dropped
    assertThat(two.isLeader()).isTrue();
    assertThat(one.isLeader()).isFalse();
    get(two.close());
    assertThat(next(reigns).leader()).isEqualTo(1);
    get(one.close());
  }

  @EachBackend
  @DisplayName("10.4 a task that fails, throws or gives no future is tried again after a pause")
  void leaders_fail(Fixture f) {
    Queue<Integer> calls = new ConcurrentLinkedQueue<>();
    Leadership leader =
        f.state()
            .locks()
            .runAsLeader(
                f.key("l"),
                "o",
                TTL,
                lease -> {
                  calls.add(calls.size());
                  if (calls.size() == 1) {
                    throw new IllegalStateException("task");
                  }
                  return calls.size() == 2 ? null : Promise.promise().future();
                });
    Await.until(() -> calls.size() == 1, "begins");
    f.pass(ms(900));
    assertThat(calls).hasSize(1);
    Await.until(() -> calls.size() == 3, seconds(10), "tries again");
    get(leader.close());
  }

  @EachBackend
  @DisplayName("10.4 what can never lead is refused at once")
  void leaders_arguments(Fixture f) {
    assertThatThrownBy(
            () -> f.state().locks().runAsLeader(" ", "o", TTL, lease -> Future.succeededFuture()))
        .isInstanceOf(RuntimeStateException.class);
    assertThatThrownBy(() -> f.state().locks().runAsLeader("k", "o", TTL, null))
        .isInstanceOf(RuntimeStateException.class);
  }
}
