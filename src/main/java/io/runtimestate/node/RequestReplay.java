package io.runtimestate.node;

import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;

/**
 * Replays a request log against a node: {@code mvn -q compile exec:java@replay
 * -Dexec.args="FILE.tsv [--conf conf/redis.json] [--limit N --window SECONDS [--twice]] [--workers
 * N [--kill N]]"}.
 *
 * <p>The node is started for the purpose, and driven as any other client would: by JSON messages to
 * its event-bus addresses. Workers, if there are to be any, use the API, and have processes of
 * their own where processes can share the store. What the store holds at the end is printed as one
 * JSON object, the last line on standard output; everything else goes to standard error. The exit
 * code is 0, 2 for wrong arguments, else 1.
 */
public final class RequestReplay {
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private final PrintStream out;
  private final PrintStream err;

  RequestReplay(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Replays and exits. */
  public static void main(String[] args) {
    int code = new RequestReplay(System.out, System.err).run(args);
    if (code != OK) {
      System.exit(code);
    }
  }

  int run(String... args) {
    try {
      return run(ReplayArguments.parse(List.of(args)));
    } catch (ReplayArguments.Wrong wrong) {
      err.println(wrong.getMessage());
      err.println(ReplayArguments.USAGE);
      return USAGE;
    }
  }

  private int run(ReplayArguments arguments) {
    try {
      out.println(replay(arguments).encode());
      return OK;
    } catch (RuntimeException failure) {
      err.println("replay: " + NodeFailure.text(failure));
      return FAILED;
    }
  }

  private JsonObject replay(ReplayArguments arguments) {
    try (RequestLog log = RequestLog.open(arguments.file());
        ReplayNode node = ReplayNode.start(arguments.options())) {
      return replay(log, node, arguments);
    }
  }

  private JsonObject replay(RequestLog log, ReplayNode node, ReplayArguments arguments) {
    JsonObject summary = new JsonObject().put("backend", node.backend());
    try (ReplayKeys keys = new ReplayKeys(node.client());
        ReplayCrew crew = new ReplayCrew(node)) {
      List<ReplayStage> stages = stages(keys, crew, arguments);
      feed(log, new Feed(node.context(), stages));
      stages.forEach(stage -> summary.mergeIn(stage.summary()));
    }
    return summary;
  }

  /** Whatever else is to be done with each request, or each admitted one, is one more stage. */
  private static List<ReplayStage> stages(
      ReplayKeys keys, ReplayCrew crew, ReplayArguments arguments) {
    return List.of(
        new TrafficStage(keys),
        new AdmissionStage(check(keys, arguments), ofAdmitted(keys, crew, arguments)));
  }

  private static List<ReplayStage> ofAdmitted(
      ReplayKeys keys, ReplayCrew crew, ReplayArguments arguments) {
    BytesStage ranking = new BytesStage(keys);
    if (arguments.workers() == 0) {
      return List.of(ranking);
    }
    QueueStage queue = new QueueStage(keys, crew, ranking);
    queue.start(arguments.workers(), arguments.killAfter());
    return List.of(ranking, queue);
  }

  /** Without a limit everything is admitted, and the store is not asked. */
  private static Function<Request, Future<Boolean>> check(
      ReplayKeys keys, ReplayArguments arguments) {
    return arguments
        .limit()
        .<Function<Request, Future<Boolean>>>map(limit -> new AdmissionCheck(keys, limit)::admits)
        .orElse(request -> Future.succeededFuture(true));
  }

  private void feed(RequestLog log, Feed requests) {
    Progress progress = new Progress(err);
    try (requests) {
      for (Request request = log.next(); request != null; request = log.next()) {
        requests.push(request);
        progress.count();
      }
      requests.drain();
    }
    progress.done();
  }
}
