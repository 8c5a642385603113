package io.runtimestate.node;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * Hands requests to the stages: a bounded number at a time, and those of one client one after the
 * other. Whoever reads the log is held back here, not in memory.
 */
final class Feed implements AutoCloseable {
  private static final int IN_FLIGHT = 256;

  private final Context context;
  private final List<ReplayStage> stages;
  private final Semaphore places = new Semaphore(IN_FLIGHT);
  private final Map<String, Future<?>> latest = new HashMap<>(); // by client; only on the context
  private volatile NodeFailure failure;

  Feed(Context context, List<ReplayStage> stages) {
    this.context = context;
    this.stages = stages;
  }

  /** Waits for a place and begins; throws what an earlier request failed with. */
  void push(Request request) {
    check();
    places.acquireUninterruptibly();
    context.runOnContext(now -> begin(request));
  }

  /** Waits until everything is done; throws what a request failed with. */
  void drain() {
    close();
    check();
  }

  private void check() {
    if (failure != null) {
      throw failure;
    }
  }

  /** Waits until nothing is under way any more, however it ends. */
  @Override
  public void close() {
    places.acquireUninterruptibly(IN_FLIGHT);
    places.release(IN_FLIGHT);
  }

  private void begin(Request request) {
    Future<?> before = latest.get(request.client());
    Future<?> mine = before == null ? handle(request) : before.compose(previous -> handle(request));
    latest.put(request.client(), mine);
    mine.onComplete(
        done -> {
          latest.remove(request.client(), mine);
          if (done.failed() && failure == null) {
            failure = Request.atLine(request.line(), NodeFailure.text(done.cause()));
          }
          places.release();
        });
  }

  private Future<?> handle(Request request) {
    return Future.all(stages.stream().map(stage -> stage.handle(request)).toList());
  }
}
