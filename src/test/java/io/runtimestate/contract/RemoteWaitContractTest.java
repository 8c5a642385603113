package io.runtimestate.contract;

import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/** Waiting at the far end of the event bus, whatever store is behind it. */
class RemoteWaitContractTest {
  private static final Duration BLOCK = ms(3_000);

  @EachBackend({DoorKind.MEMORY, DoorKind.REDIS})
  @DisplayName("C463 a read may block for longer than a call over the bus usually takes")
  void read_outlastsTimeout(Fixture f) {
    RuntimeStateOptions options = f.options().setCommandTimeout(ms(500));
    options.getEventBus().setExpose(true).setBase(f.freshBase());
    f.open(options);
    RuntimeState remote = get(RuntimeState.connect(f.vertx(), options.getEventBus().getBase()));
    get(remote.queues().ensureGroup("s", "g"));
    long before = System.nanoTime();
    Future<List<QueueEntry>> read = remote.queues().read("s", "g", "c", 1, BLOCK);
    assertThat(get(read)).isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isBetween(ms(2_950), ms(5_000));
    get(remote.close());
  }
}
