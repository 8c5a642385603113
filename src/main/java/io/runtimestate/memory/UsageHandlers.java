package io.runtimestate.memory;

import io.runtimestate.data.UsageDecision;
import io.runtimestate.data.UsagePeek;
import io.runtimestate.memory.table.UsageWindows;
import io.runtimestate.operation.UsageOperation.Consume;
import io.runtimestate.operation.UsageOperation.Peek;
import io.runtimestate.operation.UsageOperation.Release;
import java.util.List;

/** Usage limits in memory. */
final class UsageHandlers {
  private final UsageWindows windows;
  private final MemoryClock clock;

  UsageHandlers(Store store) {
    this.windows = store.windows;
    this.clock = store.clock;
  }

  void register(Owner owner) {
    owner.on(Consume.class, this::consume);
    owner.on(Peek.class, this::peek);
    owner.on(Release.class, this::release);
  }

  private UsageDecision consume(Consume consume) {
    long unixNow = clock.unixNow();
    return windows.consume(
        consume.rules(), consume.eventId(), consume.now().orElse(unixNow), unixNow, clock::after);
  }

  private List<UsagePeek> peek(Peek peek) {
    return windows.peek(peek.rules(), peek.eventId(), peek.now().orElse(clock.unixNow()));
  }

  private Void release(Release release) {
    windows.release(release.keys(), release.eventId());
    return null;
  }
}
