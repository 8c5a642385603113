package io.runtimestate.node;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Counts: a counter for each client, each path when it is seen first, the last status of each
 * client. The totals are read back from the store and compared with what the operations had
 * answered, so that a lost or repeated write would show.
 */
final class TrafficStage implements ReplayStage {
  private static final String REQUESTS = "requests:";
  private static final String PATH = "path:";
  private static final String STATUS = "status:";

  private final ReplayKeys keys;
  private long handled; // these three: only on the replay's context
  private long newClients;
  private long newPaths;

  TrafficStage(ReplayKeys keys) {
    this.keys = keys;
  }

  @Override
  public Future<?> handle(Request request) {
    return Future.all(countClient(request), notePath(request), keepStatus(request));
  }

  private Future<?> countClient(Request request) {
    return keys.<Number>ask(
            "kv.increment", REQUESTS + request.client(), new JsonObject().put("delta", 1))
        .onSuccess(
            count -> {
              handled++;
              newClients += count.longValue() == 1 ? 1 : 0;
            });
  }

  private Future<?> notePath(Request request) {
    return keys.<Boolean>ask(
            "kv.setIfAbsent",
            PATH + request.path(),
            new JsonObject().put("value", request.client()))
        .onSuccess(isNew -> newPaths += isNew ? 1 : 0);
  }

  private Future<?> keepStatus(Request request) {
    return keys.ask(
        "kv.set",
        STATUS + request.client(),
        new JsonObject().put("value", Integer.toString(request.status())));
  }

  @Override
  public JsonObject summary() {
    List<String> counters = keys.values(REQUESTS);
    long requests = counters.stream().mapToLong(Long::parseLong).sum();
    long paths = keys.list(PATH).size();
    ReplayKeys.check("requests", requests, handled);
    ReplayKeys.check("clients", counters.size(), newClients);
    ReplayKeys.check("paths", paths, newPaths);
    return new JsonObject()
        .put("requests", requests)
        .put("clients", counters.size())
        .put("paths", paths)
        .put("lastStatus", lastStatus());
  }

  private JsonObject lastStatus() {
    TreeMap<String, Long> clients =
        keys.values(STATUS).stream()
            .collect(Collectors.groupingBy(status -> status, TreeMap::new, Collectors.counting()));
    return new JsonObject(new TreeMap<String, Object>(clients));
  }
}
