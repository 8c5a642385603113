package io.runtimestate.contract;

import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.BackendKind;
import io.runtimestate.data.Health;
import io.runtimestate.data.SystemInfo;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.FakeClock;
import io.runtimestate.support.Fixture;
import java.time.Duration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayName;

class SystemContractTest {
  private static final Offset<Long> A_SECOND = within(1_000L);

  @EachBackend
  @DisplayName("12 health is up and tells the backend; ping succeeds")
  void health_up(Fixture f) {
    Health health = get(f.state().health());
    assertThat(health.up()).isTrue();
    assertThat(health.backend()).isEqualTo(f.isMemory() ? "memory" : "redis");
    assertThat(health.latency()).isBetween(Duration.ZERO, Duration.ofSeconds(2));
    assertThat(health.message()).isEmpty();
    assertThat(get(f.state().ping())).isNull();
  }

  @EachBackend
  @DisplayName("0.3.3 time is backend unix time and the clock estimates it")
  void time_andClock(Fixture f) {
    long before = get(f.state().time());
    assertThat(before).isCloseTo(System.currentTimeMillis(), A_SECOND);
    assertThat(f.state().clock()).isCloseTo(get(f.state().time()), within(100L));
    f.pass(ms(20));
    assertThat(get(f.state().time())).isBetween(before + 20, before + 5_000);
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("0.3.3 memory time starts at the wall clock and never steps")
  void time_neverSteps(Fixture f) {
    FakeClock clock = new FakeClock();
    RuntimeState state = f.open(f.options(), clock);
    long start = clock.unixMillis();
    assertThat(get(state.time())).isEqualTo(start);
    clock.stepUnix(Duration.ofHours(5));
    assertThat(get(state.time())).isEqualTo(start);
    clock.advance(ms(1_500));
    assertThat(get(state.time())).isEqualTo(start + 1_500);
    assertThat(state.clock()).isEqualTo(start + 1_500);
    clock.advance(ms(-700));
    assertThat(get(state.time())).isEqualTo(start + 1_500);
  }

  @EachBackend
  @DisplayName("1.2 the kind of backend is known to every handle")
  void kind_known(Fixture f) {
    BackendKind kind = f.isMemory() ? BackendKind.MEMORY : BackendKind.REDIS;
    for (RuntimeState handle : new RuntimeState[] {f.state(), f.second()}) {
      assertThat(handle.backendKind()).isEqualTo(kind);
      assertThat(handle.isMemory()).isEqualTo(f.isMemory());
      assertThat(handle.isRedis()).isNotEqualTo(f.isMemory());
    }
  }

  @EachBackend
  @DisplayName("12 info tells what a client needs")
  void info_tells(Fixture f) {
    SystemInfo info = get(f.state().execute(new SystemOperation.Info()));
    assertThat(info.backend()).isEqualTo(f.isMemory() ? "memory" : "redis");
    assertThat(info.keyPrefix()).isEqualTo(f.prefix());
    assertThat(info.topology().isPresent()).isNotEqualTo(f.isMemory());
    assertThat(info.serverVersion().isPresent()).isNotEqualTo(f.isMemory());
  }

  @EachBackend
  @DisplayName("C436 diagnostics are of Redis only")
  void diagnostics_ofRedisOnly(Fixture f) {
    assertThat(get(f.state().diagnostics()).isPresent()).isNotEqualTo(f.isMemory());
  }

  @EachBackend(DoorKind.MEMORY)
  @DisplayName("C448 a timeout means nothing to memory")
  void timeout_ignored(Fixture f) {
    RuntimeState state = f.open(new RuntimeStateOptions().setCommandTimeout(ms(1)));
    for (int i = 0; i < 1_000; i++) {
      get(state.kv().set("k" + i, "v"));
    }
    assertThat(get(state.keys().list("*"))).hasSize(1_000);
    assertThat(get(state.keys().deleteMany(get(state.keys().list("*"))))).isEqualTo(1_000);
  }
}
