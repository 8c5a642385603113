package io.runtimestate.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KvOperation;
import io.runtimestate.redis.RedisBackend;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.Footprint;
import io.runtimestate.support.RedisServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose name cannot be resolved: never, not yet, or not any more. */
class NameFaultTest {
  private static final String NAME = "redis.test";

  @TempDir Path directory;
  private DatagramSocket silentNameServer;
  private RedisServer server;
  private Vertx vertx;

  @BeforeEach
  void start() throws IOException {
    silentNameServer = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    server = RedisServer.start();
    Files.writeString(hosts(), "");
    vertx =
        Vertx.vertx(
            new VertxOptions()
                .setAddressResolverOptions(
                    new AddressResolverOptions()
                        .setHostsPath(hosts().toString())
                        .setHostsRefreshPeriod(50)
                        .setCacheMaxTimeToLive(0)
                        .addServer("127.0.0.1:" + silentNameServer.getLocalPort())
                        .setQueryTimeout(100)
                        .setMaxQueries(1)));
  }

  @AfterEach
  void stop() {
    Await.get(vertx.close());
    server.close();
    silentNameServer.close();
  }

  private Path hosts() {
    return directory.resolve("hosts");
  }

  private void name(boolean known) {
    try {
      Files.writeString(hosts(), known ? "127.0.0.1 " + NAME + "\n" : "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RuntimeStateOptions options() {
    RuntimeStateOptions options =
        new RuntimeStateOptions().setCommandTimeout(Duration.ofMillis(500));
    options.getRedis().setUrl("redis://" + NAME + ":" + server.port());
    return options;
  }

  private Future<StateBackend> opening(Duration openTimeout) {
    RuntimeStateOptions options = options();
    options.getRedis().setOpenTimeout(openTimeout);
    return RedisBackend.open(vertx, options);
  }

  @Test
  @DisplayName("A11 C013 a name that nobody knows fails open in time, a hundred times")
  void unknown() {
    Footprint before = Footprint.of(vertx, null);
    List<Future<StateBackend>> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(opening(null));
    }
    for (Future<StateBackend> opening : all) {
      RuntimeStateException failure = (RuntimeStateException) Await.failure(opening);
      assertThat(failure.code()).isIn(FailureCode.UNAVAILABLE, FailureCode.TIMED_OUT);
      assertThat(failure.mayHaveBeenApplied()).isFalse();
    }
    before.awaitReturn(vertx, null);
  }

  @Test
  @DisplayName("P09 a name that is known later is waited for, if a time to open is given")
  void knownLater() {
    Future<StateBackend> opening = opening(Duration.ofSeconds(15));
    name(true);
    StateBackend backend = Await.get(opening);
    assertThat(Await.get(backend.execute(new KvOperation.Get("k")))).isEmpty();
    Await.get(backend.close());
  }

  @Test
  @DisplayName("A11 a name that is gone for a while costs nothing but that while")
  void goneForAWhile() {
    name(true);
    StateBackend backend = Await.get(opening(Duration.ofSeconds(15)));
    Await.get(backend.execute(set("before")));
    Footprint whole = Footprint.atRest(vertx, server);
    name(false);
    server.restart();
    for (int i = 0; i < 5; i++) {
      RuntimeStateException failure =
          (RuntimeStateException) Await.failure(backend.execute(set("during")));
      assertThat(failure.code()).isIn(FailureCode.UNAVAILABLE, FailureCode.TIMED_OUT);
    }
    name(true);
    Await.until(() -> works(backend), "it works without a new runtime");
    Await.until(
        () -> Footprint.of(vertx, server).connections() == whole.connections(),
        "as many connections as before");
    whole.awaitReturn(vertx, server);
    Await.get(backend.close());
  }

  private static boolean works(StateBackend backend) {
    Future<?> call = backend.execute(set("after"));
    Await.until(call::isComplete, "it ends");
    return call.succeeded();
  }

  private static KvOperation.Set set(String value) {
    return new KvOperation.Set("k", value, Optional.empty(), false);
  }
}
