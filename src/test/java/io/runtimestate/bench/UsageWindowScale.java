package io.runtimestate.bench;

import io.runtimestate.UsageLimits;
import io.runtimestate.data.UsageRule;
import java.time.Duration;
import java.util.List;

/** So many sliding windows, each with one event. */
final class UsageWindowScale implements ScaleFamily {
  @Override
  public List<ScaleOperation<?, ?>> fill(ScaleWorld world) throws Exception {
    UsageLimits usage = world.state().usage();
    world.fill(name -> usage.consume(rule(name), "event"));
    return List.of(
        ScaleOperation.of(
                "usage.consume in one of n windows",
                "log n",
                world::some,
                name -> usage.consume(rule(name), "another"))
            .undo((name, done) -> usage.release(rule(name), "another")),
        ScaleOperation.of(
                "usage.consume in a new window",
                "log n",
                world::other,
                name -> usage.consume(rule(name), "event"))
            .undo((name, done) -> usage.release(rule(name), "event")));
  }

  private static List<UsageRule> rule(String name) {
    return List.of(new UsageRule("{" + name + "}", 10, Duration.ofDays(1)));
  }
}
