package io.runtimestate.node;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Function;

/** Lets further stages see the requests that are admitted, and no others. */
final class AdmissionStage implements ReplayStage {
  private final Function<Request, Future<Boolean>> check;
  private final List<ReplayStage> stages;
  private long allowed; // these two: only on the replay's context
  private long rejected;

  AdmissionStage(Function<Request, Future<Boolean>> check, List<ReplayStage> stages) {
    this.check = check;
    this.stages = stages;
  }

  @Override
  public Future<?> handle(Request request) {
    return check.apply(request).compose(isAllowed -> isAllowed ? admit(request) : reject(request));
  }

  private Future<Request> admit(Request request) {
    allowed++;
    return Future.all(stages.stream().map(stage -> stage.handle(request)).toList()).map(request);
  }

  private Future<Request> reject(Request request) {
    rejected++;
    return Future.succeededFuture(request);
  }

  @Override
  public JsonObject summary() {
    JsonObject summary = new JsonObject().put("allowed", allowed).put("rejected", rejected);
    stages.forEach(stage -> summary.mergeIn(stage.summary()));
    return summary;
  }
}
