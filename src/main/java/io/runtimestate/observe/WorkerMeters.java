package io.runtimestate.observe;

import io.runtimestate.spi.Callers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The meters of the workers of one runtime, by stream and group. Those of a pair stay until the
 * runtime closes, so that no count falls when a worker makes room for the next one.
 *
 * <p>Names come from the application, so they are bounded: the first {@value #MAX_NAMED} pairs of
 * names that are not long are shown, all others together.
 *
 * <p>Only the start and the end of workers come here; the object's lock guards everything.
 */
public final class WorkerMeters {
  static final int MAX_NAMED = 100;
  static final int MAX_CHARS = 256;
  static final String OTHER = "other";

  private static final WorkerParts OTHERS = new WorkerParts(OTHER, OTHER);

  private final Vertx vertx;
  private final Map<WorkerParts, MetricsBinding> pairs = new HashMap<>();
  private final Set<MetricsBinding> workers = new HashSet<>();
  private boolean closed;

  /** The meters of a runtime without workers: none. */
  public WorkerMeters(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * Begins to show a worker wherever the Vert.x instance shows its own metrics.
   *
   * @return ends that; what was counted stays in the meters
   */
  public synchronized Runnable show(String stream, String group, WorkerFigures figures) {
    if (closed) {
      return () -> {};
    }
    WorkerParts pair = named(new WorkerParts(stream, group));
    MetricsBinding lasting =
        pairs.computeIfAbsent(
            pair, unseen -> MetricsBinding.bind(vertx, () -> pair.of(figures.none())));
    MetricsBinding worker = lasting.then(() -> pair.of(figures));
    workers.add(worker);
    return () -> hide(worker);
  }

  private WorkerParts named(WorkerParts pair) {
    boolean room = pairs.containsKey(pair) || pairs.size() < MAX_NAMED;
    boolean brief = pair.stream().length() <= MAX_CHARS && pair.group().length() <= MAX_CHARS;
    return room && brief ? pair : OTHERS;
  }

  private void hide(MetricsBinding worker) {
    worker.close().onComplete(hidden -> forget(worker));
  }

  private synchronized void forget(MetricsBinding worker) {
    workers.remove(worker);
  }

  /** Removes all meters; idempotent, does not fail. */
  public Future<Void> close() {
    List<Future<Void>> ends = new ArrayList<>();
    for (MetricsBinding binding : end()) {
      ends.add(binding.close());
    }
    return ends.isEmpty() ? Callers.succeeded(vertx, null) : Future.join(ends).mapEmpty();
  }

  private synchronized List<MetricsBinding> end() {
    closed = true;
    List<MetricsBinding> all = new ArrayList<>(workers);
    all.addAll(pairs.values());
    return all;
  }
}
