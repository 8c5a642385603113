package io.runtimestate.bench;

import io.runtimestate.Semaphores;
import io.runtimestate.data.PermitDecision;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One semaphore of which so many permits are held. */
final class SemaphoreScale implements ScaleFamily {
  private static final String GATE = "gate";
  private static final int NO_LIMIT = Integer.MAX_VALUE;
  private static final Duration DAY = Duration.ofDays(1);

  @Override
  public List<ScaleOperation<?, ?>> fill(ScaleWorld world) throws Exception {
    Semaphores semaphores = world.state().semaphores();
    List<String> tokens = new ArrayList<>();
    world.fill(name -> taken(semaphores).onSuccess(tokens::add));
    return List.of(
        ScaleOperation.<Integer, PermitDecision>of(
                "semaphore.tryAcquire",
                "log n",
                n -> NO_LIMIT,
                limit -> semaphores.tryAcquire(GATE, null, limit, DAY))
            .undo((limit, permit) -> semaphores.release(GATE, null, token(permit))),
        ScaleOperation.of(
            "semaphore.tryAcquire of a full one",
            "log n",
            n -> world.size(),
            limit -> semaphores.tryAcquire(GATE, null, limit, DAY)),
        ScaleOperation.of(
            "semaphore.renew",
            "log n",
            n -> tokens.get(world.index(n)),
            token -> semaphores.renew(GATE, null, token, DAY)),
        ScaleOperation.prepared(
            "semaphore.release",
            "log n",
            n -> taken(semaphores),
            token -> semaphores.release(GATE, null, token)),
        ScaleOperation.of(
            "semaphore.snapshot",
            "log n",
            n -> world.size(),
            limit -> semaphores.snapshot(GATE, null, limit)),
        ScaleOperation.of(
                "semaphore.holders", "n", n -> GATE, gate -> semaphores.holders(gate, null))
            .oneAtATime());
  }

  private static Future<String> taken(Semaphores semaphores) {
    return semaphores.tryAcquire(GATE, null, NO_LIMIT, DAY).map(SemaphoreScale::token);
  }

  private static String token(PermitDecision decision) {
    return ((PermitDecision.Granted) decision).token();
  }
}
