package io.runtimestate.bench;

import io.runtimestate.Locks;
import io.runtimestate.data.LockLease;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** So many locks that are held. */
final class LockScale implements ScaleFamily {
  private static final String OWNER = "node-1";
  private static final Duration DAY = Duration.ofDays(1);

  @Override
  public List<ScaleOperation<?, ?>> fill(ScaleWorld world) throws Exception {
    Locks locks = world.state().locks();
    List<LockLease> leases = new ArrayList<>();
    world.fill(
        key ->
            locks.tryAcquire(key, OWNER, DAY).onSuccess(lease -> leases.add(lease.orElseThrow())));
    return List.of(
        ScaleOperation.<String, Optional<LockLease>>of(
                "lock.tryAcquire of a free one",
                "log n",
                world::other,
                key -> locks.tryAcquire(key, OWNER, DAY))
            .undo((key, lease) -> locks.release(lease.orElseThrow())),
        ScaleOperation.of(
            "lock.tryAcquire of a held one",
            "log n",
            world::some,
            key -> locks.tryAcquire(key, OWNER, DAY)),
        ScaleOperation.of(
            "lock.renew",
            "log n",
            n -> leases.get(world.index(n)),
            lease -> locks.renew(lease, DAY)),
        ScaleOperation.prepared("lock.release", "log n", n -> held(world, n), locks::release),
        ScaleOperation.of("lock.holder", "1", world::some, locks::holder));
  }

  private static Future<LockLease> held(ScaleWorld world, long number) {
    return world.state().locks().tryAcquire(world.other(number), OWNER, DAY).map(Optional::get);
  }
}
