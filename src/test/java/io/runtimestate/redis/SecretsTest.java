package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.runtimestate.RuntimeState;
import io.runtimestate.config.RedisCredentials;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.operation.Marked;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.support.Await;
import io.runtimestate.support.FakeRedis;
import io.runtimestate.support.RecordedLog;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Texts that nobody may see are put everywhere a caller can put some; then everything the library
 * says is searched for them.
 */
class SecretsTest {
  private static final String USER = "m4rk-user";
  private static final String PASSWORD = "m4rk/p@ss";
  private static final String URL_ENCODED = "m4rk%2Fp%40ss";
  private static final String DATA = "{m4rk}";
  private static final String PREFIX = "m4rk-prefix";

  /** Part of all of them, and of their encoded forms. */
  private static final String MARKER = "m4rk";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final StringBuilder said = new StringBuilder();
  private final Vertx vertx =
      Vertx.builder()
          .with(
              new VertxOptions().setMetricsOptions(new MicrometerMetricsOptions().setEnabled(true)))
          .withMetrics(new MicrometerMetricsFactory(registry))
          .build();
  private RedisServer server;
  private RedisSide side;

  @BeforeEach
  void start() {
    server = RedisServer.start();
    side = server.side();
    side.command("ACL", "SETUSER", USER, "on", ">" + PASSWORD, "~" + PREFIX + ":*", "+@all");
  }

  @AfterEach
  void stop() {
    side.close();
    server.close();
    Await.get(vertx.close());
  }

  private RuntimeStateOptions options() {
    return options("redis://" + USER + ":" + URL_ENCODED + "@127.0.0.1:" + server.port());
  }

  private static RuntimeStateOptions options(String url) {
    RuntimeStateOptions options =
        new RuntimeStateOptions()
            .setKeyPrefix(PREFIX)
            .setCommandTimeout(Duration.ofMillis(500))
            .setCloseTimeout(Duration.ofMillis(200));
    options.getRedis().setUrl(url);
    return options;
  }

  @Test
  @DisplayName("R01: no secret, key or value in logs, failures, metrics, names or renderings")
  void nothingIsShown() {
    try (RecordedLog log = RecordedLog.at(Level.ALL, "io.runtimestate");
        RecordedLog libraries = RecordedLog.at(Level.INFO, "io.vertx")) {
      note(options());
      traffic();
      failedOpens();
      said.append(log.text()).append(libraries.text());
      assertThat(log.text()).as("it was recorded").contains("Redis connection");
    }
    assertThat(said).as("there are meters").contains("runtime_state_operations");
    Thread.getAllStackTraces().keySet().forEach(thread -> said.append(thread.getName()));
    assertThat(said.toString().lines().filter(line -> line.contains(MARKER))).isEmpty();
  }

  /** Every operation twice, the second time on what the first has left; then without a server. */
  private void traffic() {
    RuntimeStateOptions patient = options();
    patient.getRedis().setOpenTimeout(Duration.ofSeconds(10)); // the first connection takes long
    RuntimeState state = Await.get(RuntimeState.open(vertx, patient));
    note(state);
    runEverything(state);
    runEverything(state);
    assertThat(side.clientList())
        .filteredOn(client -> client.get("user").equals(USER))
        .isNotEmpty()
        .allSatisfy(client -> assertThat(client.get("name")).doesNotContain(MARKER))
        .allSatisfy(client -> assertThat(client.get("name")).startsWith("runtime-state"));
    note(Await.get(state.statistics()));
    note(Await.get(state.diagnostics()));
    side.command("ACL", "SETUSER", USER, "-get", "-evalsha", "-xadd", "resetkeys", "~none");
    runEverything(state);
    side.command("CLIENT", "KILL", "USER", USER);
    runEverything(state);
    server.pause();
    runEverything(state);
    note(Await.get(state.health()));
    server.resume();
    server.kill();
    runEverything(state);
    note(registry.scrape());
    Await.get(state.close());
    runEverything(state);
    server.startAgain();
    side = server.side();
    side.command("ACL", "SETUSER", USER, "on", ">" + PASSWORD, "~" + PREFIX + ":*", "+@all");
  }

  private void runEverything(RuntimeState state) {
    List<Future<?>> calls = new ArrayList<>();
    OperationCatalog.all()
        .forEach(
            type -> {
              Operation<?> marked = (Operation<?>) new Marked(DATA).make(type.recordClass());
              note(marked);
              calls.add(state.execute(marked));
            });
    for (Future<?> call : calls) {
      Await.until(call::isComplete, "it completes");
      if (call.failed()) {
        note(call.cause());
      }
    }
  }

  private void failedOpens() {
    RuntimeStateOptions wrong = options();
    wrong.getRedis().setPassword(PASSWORD + "-wrong");
    noteFailed(wrong);
    RuntimeStateOptions tls = options();
    tls.getRedis().setUrl(tls.getRedis().getUrl().replace("redis:", "rediss:"));
    noteFailed(tls);
    RuntimeStateOptions noDatabase = options();
    noteFailed(noDatabase.setRedis(noDatabase.getRedis().setDatabase(999)));
    noteFailed(options("redis://" + USER + ":" + PASSWORD + "@127.0.0.1"));
    noteFailed(options("redis://" + USER + ":" + URL_ENCODED + "@127.0.0.1:1"));
    RuntimeStateOptions vault = options();
    vault
        .getRedis()
        .setCredentials(() -> CompletableFuture.failedFuture(new RuntimeException(PASSWORD)));
    noteFailed(vault);
    note(new RedisCredentials(USER, PASSWORD));
    note(new Credentials(USER, PASSWORD));
    try (FakeRedis silent = FakeRedis.start(vertx, request -> null);
        FakeRedis echo =
            FakeRedis.start(vertx, request -> FakeRedis.error(String.join(" ", request)))) {
      noteFailed(options(silent.uri().replace("//", "//" + USER + ":" + URL_ENCODED + "@")));
      noteFailed(options(echo.uri().replace("//", "//" + USER + ":" + URL_ENCODED + "@")));
    }
  }

  private void noteFailed(RuntimeStateOptions options) {
    Future<RuntimeState> opening = RuntimeState.open(vertx, options);
    note(Await.failure(opening));
    note(options);
    said.append(options.toJson().encode());
  }

  private void note(Object object) {
    said.append(object).append('\n');
  }

  /** With its causes and all their frames. */
  private void note(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    said.append(text);
  }
}
