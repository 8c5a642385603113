package io.runtimestate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.spi.StateBackend;
import io.runtimestate.support.Await;
import io.runtimestate.support.RedisServer;
import io.runtimestate.support.RedisSide;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A server at a path instead of a port, through the sockets of the JDK. */
class UnixSocketTest extends RedisTest {
  private Path directory;
  private Path socket;
  private RedisServer server;

  @BeforeEach
  void start() throws IOException {
    directory = Files.createTempDirectory("rs"); // a path to a socket may have 100 characters or so
    socket = directory.resolve("r s.sock");
    server = RedisServer.start("unixsocket \"" + socket + "\"", "requirepass secret");
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    Files.deleteIfExists(socket);
    Files.delete(directory);
  }

  private String url(String password) {
    return "unix://:" + password + "@" + socket.toUri().getRawPath() + "?db=2";
  }

  @Test
  @DisplayName("everything goes over the socket, with password and database")
  void works() {
    StateBackend backend = open(url("secret"));
    run(backend, set("k", "v"));
    assertThat(run(backend, compareAndSet("k", "v", "w"))).isTrue();
    assertThat(run(backend, new SystemOperation.Diagnostics())).isPresent();
    try (RedisSide side = server.side().select(2)) {
      assertThat(side.command("GET", "UnixSocketTest:d:k")).isEqualTo("w");
      assertThat(side.clientList())
          .filteredOn(client -> client.get("name").startsWith("runtime-state"))
          .isNotEmpty()
          .allMatch(client -> client.get("addr").startsWith(socket.toString().split(" ")[0]));
    }
  }

  @Test
  @DisplayName("a lost connection is made again")
  void comesBack() {
    StateBackend backend = open(url("secret"));
    run(backend, set("k", "v"));
    server.stop();
    Await.until(() -> backend.figures().get("lane.fast.connections") == 0, "it is down");
    server.startAgain();
    run(backend, set("k", "v")); // waits for the connection
  }

  @Test
  void wrongPassword() {
    assertThat(failure(opening(options(url("wrong")))).code())
        .isEqualTo(FailureCode.INVALID_CONFIGURATION);
  }

  @Test
  void noSocketThere() {
    RuntimeStateException failure = failure(opening(options("unix://" + directory + "/none")));
    assertThat(failure.code()).isEqualTo(FailureCode.UNAVAILABLE);
    assertThat(failure).hasMessageContaining("cannot connect: SocketException");
  }
}
