package io.runtimestate.bench;

import io.runtimestate.UsageLimits;
import io.runtimestate.data.UsageRule;
import java.time.Duration;
import java.util.List;

/**
 * One window with so many events, one a millisecond; another one from which an old event goes with
 * each check; and so many windows with one event.
 */
final class UsageScale implements ScaleFamily {
  private static final String KEY = "{usage}";
  private static final String MOVING = "{moving}";

  @Override
  public List<ScaleOperation<?, ?>> fill(ScaleWorld world) throws Exception {
    UsageLimits usage = world.state().usage();
    long now = world.size();
    List<UsageRule> wide = rule(KEY, Long.MAX_VALUE >>> 11, 10L * world.size());
    List<UsageRule> full = rule(KEY, world.size(), 10L * world.size());
    List<UsageRule> moving = rule(MOVING, 2L * world.size(), world.size());
    Chain.on(world.owner(), world.size(), i -> usage.consume(wide, ScaleWorld.name(i), i));
    Chain.on(world.owner(), world.size(), i -> usage.consume(moving, ScaleWorld.name(i), i));
    return List.of(
        ScaleOperation.of(
                "usage.consume of a new event",
                "log n",
                world::other,
                event -> usage.consume(wide, event, now))
            .undo((event, done) -> usage.release(wide, event)),
        ScaleOperation.of(
            "usage.consume of an event that counts",
            "log n",
            world::some,
            event -> usage.consume(wide, event, now)),
        ScaleOperation.of(
            "usage.consume that is refused and told when",
            "log n",
            world::other,
            event -> usage.consume(full, event, now)),
        ScaleOperation.of(
            "usage.consume while one old event goes",
            "log n",
            n -> now + n,
            at -> usage.consume(moving, ScaleWorld.name(at.intValue()), at)),
        ScaleOperation.of(
            "usage.peek of a full window",
            "log n",
            world::other,
            event -> usage.peek(full, event, now)),
        ScaleOperation.of(
                "usage.release",
                "log n",
                world::index,
                i -> usage.release(wide, ScaleWorld.name(i)))
            .undo((i, done) -> usage.consume(wide, ScaleWorld.name(i), i)));
  }

  private static List<UsageRule> rule(String key, long limit, long windowMillis) {
    return List.of(new UsageRule(key, limit, Duration.ofMillis(windowMillis)));
  }
}
