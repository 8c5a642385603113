package io.runtimestate;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RedisCredentials;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.ClaimPage;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.Guarded;
import io.runtimestate.data.LockLease;
import io.runtimestate.data.QueueEntry;
import io.runtimestate.data.RateDecision;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.ScoredMember;
import io.runtimestate.data.TokenDecision;
import io.runtimestate.data.UsageDecision;
import io.runtimestate.data.UsagePeek;
import io.runtimestate.data.UsageRule;
import io.runtimestate.data.WindowStats;
import io.runtimestate.lease.AutoRenewedLease;
import io.runtimestate.lease.Leadership;
import io.runtimestate.lease.Permit;
import io.runtimestate.lease.Semaphore;
import io.runtimestate.lease.SemaphoreOptions;
import io.runtimestate.lease.SemaphoreSnapshot;
import io.runtimestate.observe.RuntimeStateHealth;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.worker.QueueWorker;
import io.runtimestate.worker.QueueWorkerOptions;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.healthchecks.CheckResult;
import io.vertx.ext.healthchecks.HealthChecks;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The Java of README.md, in its order; {@link ReadmeTest} compares the two. */
final class ReadmeSnippets {
  private ReadmeSnippets() {}

  // readme
  static final class VisitCounter extends VerticleBase {
    @Override
    public Future<?> start() {
      return RuntimeState.open(vertx, new RuntimeStateOptions()).compose(this::serve);
    }

    private Future<?> serve(RuntimeState state) {
      return vertx
          .createHttpServer()
          .requestHandler(
              request ->
                  state
                      .kv()
                      .increment("visits:" + request.path(), 1, Duration.ofDays(1))
                      .onSuccess(visits -> request.response().end("visit " + visits))
                      .onFailure(down -> request.response().setStatusCode(503).end()))
          .listen(8080);
    }
  }

  // end

  static Future<Void> values(RuntimeState state) {
    // readme
    KeyValues kv = state.kv();
    Future<Void> stored = kv.set("session:42", "ada", Duration.ofMinutes(30));
    Future<Optional<String>> read = kv.get("session:42");
    Future<Boolean> first = kv.setIfAbsent("job:7:done", "yes", Duration.ofHours(1));
    Future<Boolean> swapped = kv.compareAndSet("leader", "node-1", "node-2");
    Future<Optional<String>> ticket = kv.take("ticket"); // of concurrent takers one gets it
    Future<Long> count = kv.increment("visits", 1);
    Future<Void> renamed = kv.set("session:42", "ada l.", Ttl.keep());
    // end
    return Future.all(List.of(stored, read, first, swapped, ticket, count, renamed)).mapEmpty();
  }

  static Future<Void> keys(RuntimeState state) {
    // readme
    Keys keys = state.keys();
    Future<Boolean> lives = keys.exists("session:42");
    Future<Boolean> extended = keys.expire("session:42", Duration.ofHours(1));
    Future<List<String>> sessions = keys.list("session:*");
    Future<Long> deleted = keys.deleteMany(List.of("session:41", "session:42"));
    // end
    return Future.all(lives, extended, sessions, deleted).mapEmpty();
  }

  static Future<Void> sets(RuntimeState state) {
    // readme
    Sets sets = state.sets();
    Future<Boolean> joined = sets.add("room:7", "ada");
    Future<Long> more = sets.addAll("room:7", List.of("bob", "eve"));
    Future<Boolean> present = sets.contains("room:7", "ada");
    Future<List<String>> members = sets.members("room:7"); // in the order of their UTF-8 bytes
    // end
    return Future.all(joined, more, present, members).mapEmpty();
  }

  static Future<Void> scores(RuntimeState state) {
    // readme
    Scores scores = state.scores();
    Future<Double> points = scores.increment("ranking", "ada", 2.5);
    Future<List<ScoredMember>> top =
        scores.range("ranking", ScoreRange.all().reversed().limit(10).withScores());
    Future<Optional<ScoredMember>> due = scores.popLowest("schedule");
    Future<Long> kept =
        scores.recordSample(
            "latency", // a series of the last 5 minutes, of at most 1,000 samples
            "request-1:17", // any text that is unique; its number is what windowStats adds up
            state.clock(),
            OptionalDouble.of(state.clock() - 300_000),
            OptionalInt.of(1_000),
            Duration.ofMinutes(10));
    Future<List<Optional<WindowStats>>> lastMinute =
        scores.windowStats(List.of("latency"), state.clock() - 60_000);
    // end
    return Future.all(points, top, due, kept, lastMinute).mapEmpty();
  }

  static Future<Void> rates(RuntimeState state) {
    // readme
    FixedWindow minute = new FixedWindow(Duration.ofMinutes(1));
    List<RateScope> scopes =
        List.of(new RateScope("user", "{ada}", 100), new RateScope("key", "{ada}:key-1", 20));
    Future<RateDecision> decision = state.rates().consume(minute, scopes);
    Future<String> answer = decision.map(made -> made.isAllowed() ? "200" : "429");
    Future<TokenDecision> burst =
        state.rates().tokenBucket("ada", 20, 5, Duration.ofSeconds(1)); // 5 each second, at most 20
    // end
    return Future.all(answer, burst).mapEmpty();
  }

  static Future<Void> usage(RuntimeState state) {
    // readme
    List<UsageRule> rules =
        List.of(
            new UsageRule("{ada}:hour", 50, Duration.ofHours(1)),
            new UsageRule("{ada}:day", 200, Duration.ofDays(1)));
    Future<UsageDecision> decision = state.usage().consume(rules, "request-1"); // twice counts once
    Future<List<UsagePeek>> left = state.usage().peek(rules, "request-2"); // changes nothing
    Future<Void> undone = state.usage().release(rules, "request-1");
    // end
    return Future.all(decision, left, undone).mapEmpty();
  }

  static Future<Void> locks(RuntimeState state) {
    // readme
    Locks locks = state.locks();
    Future<Guarded<String>> report =
        locks.withLock(
            "report",
            "node-1",
            Duration.ofSeconds(10), // how long the lock outlives its holder
            Duration.ofSeconds(5), // how long to wait for it
            lease -> write("report", lease.fencingToken()));
    Future<Optional<LockLease>> once = locks.tryAcquire("import", "node-1", Duration.ofMinutes(1));
    Leadership leadership =
        locks.runAsLeader("sweeper", "node-1", Duration.ofSeconds(10), lease -> sweep(lease));
    // end
    return Future.all(report, once).compose(both -> leadership.close());
  }

  private static Future<String> write(String what, long fencingToken) {
    return Future.succeededFuture(what + fencingToken);
  }

  private static Future<?> sweep(AutoRenewedLease lease) {
    return Future.succeededFuture(lease.isHeld());
  }

  static Future<Void> semaphores(RuntimeState state) {
    // readme
    Semaphore uploads =
        state.semaphores().semaphore(new SemaphoreOptions("uploads", 10).setResource("eu"));
    Future<Guarded<String>> uploaded =
        uploads.withPermit(Duration.ofSeconds(2), permit -> write("upload", 1));
    Future<Optional<Permit>> permit = uploads.tryAcquire(); // empty: ten are in flight
    Future<SemaphoreSnapshot> usage = uploads.snapshot();
    // end
    return Future.all(uploaded, permit, usage).compose(all -> permit.result().get().release());
  }

  static Future<Void> queues(RuntimeState state) {
    // readme
    Queues queues = state.queues();
    Future<Boolean> created = queues.ensureGroup("logins", "audit");
    Future<String> id = queues.append("logins", Map.of("user", "ada"));
    Future<List<QueueEntry>> entries =
        queues.read("logins", "audit", "node-1", 10, Duration.ofSeconds(5)); // waits for the first
    Future<Long> done = entries.compose(read -> queues.ack("logins", "audit", write(read)));
    Future<ClaimPage> leftBehind = // by consumers that died, for a minute at least
        queues.claim("logins", "audit", "node-1", Duration.ofMinutes(1));
    // end
    return Future.all(created, id, done, leftBehind).mapEmpty();
  }

  private static List<String> write(List<QueueEntry> entries) {
    return entries.stream().map(QueueEntry::id).toList();
  }

  static Future<Void> workers(RuntimeState state) {
    Queues queues = state.queues();
    // readme
    QueueWorkerOptions options =
        new QueueWorkerOptions("{mail}work", "senders", "node-1")
            .setConcurrency(8)
            .setMinIdle(Duration.ofSeconds(30)) // how long the entries of a dead worker wait
            .setDeadLetterStream("{mail}dead"); // after maxDeliveries, 5
    QueueWorker worker = queues.worker(options, message -> send(message.fields()));
    Future<Void> working = worker.start();
    // end
    return working.compose(started -> worker.close());
  }

  private static Future<?> send(Map<String, String> mail) {
    return Future.succeededFuture(mail);
  }

  static Future<Void> deadLetters(RuntimeState state) {
    Queues queues = state.queues();
    // readme
    Future<List<QueueEntry>> letters =
        queues
            .ensureGroup("{mail}dead", "inspection")
            .compose(group -> queues.read("{mail}dead", "inspection", "ada", 100));
    Future<Long> redriven = letters.compose(seen -> queues.redrive("{mail}dead", 100));
    // end
    return redriven.mapEmpty();
  }

  static Future<String> computed(RuntimeState state) {
    // readme
    Future<String> rates =
        state.kv().getOrCompute("rates", Duration.ofMinutes(5), () -> write("rates", 1));
    // end
    return rates;
  }

  static Future<Long> operation(RuntimeState state) {
    // readme
    KvOperation.Increment visit = new KvOperation.Increment("visits", 1, Optional.empty());
    Future<Long> visits = state.execute(visit, Duration.ofMillis(200));
    // end
    return visits;
  }

  static Future<Long> failures(RuntimeState state) {
    // readme
    Future<Long> visits =
        state
            .kv()
            .increment("visits", 1)
            .recover(
                failure -> {
                  RuntimeStateException known = (RuntimeStateException) failure;
                  boolean harmless = known.isRetryable() && !known.mayHaveBeenApplied();
                  return harmless ? state.kv().increment("visits", 1) : Future.failedFuture(known);
                });
    // end
    return visits;
  }

  static Future<String> deploy(Vertx vertx) {
    // readme
    Future<String> deployed =
        vertx.deployVerticle(
            new RuntimeStateVerticle(),
            new DeploymentOptions().setConfig(new JsonObject().put("backend", "memory")));
    // end
    return deployed;
  }

  static Future<Long> bus(Vertx vertx) {
    // readme
    Future<Long> visits =
        vertx
            .eventBus()
            .<JsonObject>request(
                "runtime-state.kv.increment",
                new JsonObject().put("key", "visits").put("delta", 1).put("ttl", 60_000))
            .map(reply -> reply.body().getLong("result"));
    // end
    return visits;
  }

  static FailureCode codeOf(Throwable failure) {
    // readme
    FailureCode code = FailureCode.ofNumber(((ReplyException) failure).failureCode());
    // end
    return code;
  }

  static Future<Optional<String>> client(Vertx vertx) {
    // readme
    Future<Optional<String>> session =
        RuntimeState.connect(vertx, "runtime-state").compose(state -> state.kv().get("session:42"));
    // end
    return session;
  }

  static RuntimeStateOptions redis() {
    // readme
    RuntimeStateOptions options =
        new RuntimeStateOptions().setBackend(BackendMode.REDIS).setKeyPrefix("shop");
    options.getRedis().setUrl("redis://localhost:6379/0");
    // end
    return options;
  }

  static void credentials(
      RuntimeStateOptions options, Supplier<CompletableFuture<RedisCredentials>> vault) {
    // readme
    options.getRedis().setCredentials(vault); // a Supplier of a CompletionStage
    // end
  }

  static PrometheusMeterRegistry metrics() {
    // readme
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Vertx vertx =
        Vertx.builder()
            .with(
                new VertxOptions()
                    .setMetricsOptions(new MicrometerMetricsOptions().setEnabled(true)))
            .withMetrics(new MicrometerMetricsFactory(registry))
            .build();
    // end
    vertx.close();
    return registry;
  }

  static Future<CheckResult> health(Vertx vertx, RuntimeState state) {
    // readme
    HealthChecks checks = HealthChecks.create(vertx);
    RuntimeStateHealth.register(checks, state::health);
    Future<CheckResult> result = checks.checkStatus("runtime-state");
    // end
    return result;
  }
}
