package io.runtimestate.memory;

import io.runtimestate.data.BackendKind;
import io.runtimestate.data.Health;
import io.runtimestate.data.Statistics;
import io.runtimestate.operation.SystemOperation;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The memory backend about itself. */
final class SystemHandlers {
  private final Store store;
  private final MemoryBackend backend;

  SystemHandlers(Store store, MemoryBackend backend) {
    this.store = store;
    this.backend = backend;
  }

  void register(Owner owner) {
    owner.on(SystemOperation.Info.class, info -> backend.description().info());
    owner.on(SystemOperation.Time.class, time -> store.clock.unixNow());
    owner.on(SystemOperation.Health.class, this::health);
    owner.on(SystemOperation.Statistics.class, statistics -> statistics(owner));
    owner.on(SystemOperation.Diagnostics.class, diagnostics -> Optional.empty());
  }

  private Health health(SystemOperation.Health health) {
    return new Health(true, BackendKind.MEMORY.word(), Duration.ZERO, Optional.empty());
  }

  /** What the tables hold, expired objects left out; who wraps this adds the calls. */
  private Statistics statistics(Owner owner) {
    owner.sweep();
    Duration uptime = Duration.ofNanos(store.clock.now());
    return new Statistics(uptime, Map.of(), 0, 0, 0, Optional.of(store.figures()));
  }
}
