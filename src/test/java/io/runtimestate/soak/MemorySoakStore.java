package io.runtimestate.soak;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.memory.MemoryBackend;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.spi.TimeSource;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Random;

/** One store in memory. A reader that died still waits in its line: nobody tells the store. */
final class MemorySoakStore implements SoakStore {
  private final Vertx vertx = Vertx.vertx();
  private final CallGate gate;
  private final StateBackend memory;
  private final RuntimeState audit;

  MemorySoakStore(CallGate gate) {
    this.gate = gate;
    memory = Await.get(MemoryBackend.open(vertx, new RuntimeStateOptions(), TimeSource.SYSTEM));
    audit = RuntimeState.over(vertx, memory);
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Access open() {
    return new Shared();
  }

  @Override
  public RuntimeState audit() {
    return audit;
  }

  @Override
  public boolean countsExactly() {
    return true;
  }

  @Override
  public boolean restart(Random random) {
    return false;
  }

  @Override
  public void close() {
    Await.get(audit.close());
    Await.get(vertx.close());
  }

  private final class Shared implements Access {
    private final SoakDoor door = new SoakDoor(vertx, memory, gate, () -> Future.succeededFuture());
    private final RuntimeState state = RuntimeState.over(vertx, door);

    @Override
    public RuntimeState state() {
      return state;
    }

    @Override
    public void cut(Random random) {
      door.loseAnswers(1 + random.nextInt(20));
    }

    @Override
    public void heal() {
      door.loseAnswers(0);
    }

    @Override
    public void kill() {
      door.die();
      state.close();
    }

    @Override
    public void close() {
      Await.get(state.close());
    }
  }
}
