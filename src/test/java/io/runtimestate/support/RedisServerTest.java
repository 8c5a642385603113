package io.runtimestate.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisServerTest {

  @Test
  void sharedServerIsOneAndKnowsItsVersion() {
    var shared = RedisServer.shared();

    assertThat(RedisServer.shared()).isSameAs(shared);
    assertThat(shared.atLeast(6, 2)).isTrue();
    assertThat(shared.atLeast(99, 0)).isFalse();
    assertThat(shared.version()).startsWith(shared.majorVersion() + ".");
    assertThatThrownBy(shared::close).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void sideReadsEveryKindOfReply() {
    try (var server = RedisServer.start();
        var side = server.side()) {
      assertThat(side.command("SET", "a", "ä")).isEqualTo("OK");
      assertThat(side.command("GET", "a")).isEqualTo("ä");
      assertThat(side.commandBytes(utf8("GET"), utf8("a"))).isEqualTo(utf8("ä"));
      assertThat(side.command("GET", "none")).isNull();
      assertThat(side.command("INCR", "n")).isEqualTo(1L);
      assertThat(side.command("MGET", "a", "none")).isEqualTo(Arrays.asList("ä", null));
      assertThat(side.command("KEYS", "none*")).isEqualTo(List.of());
      assertThatThrownBy(() -> side.command("INCR", "a"))
          .isInstanceOf(RedisSide.ReplyError.class)
          .hasMessageStartingWith("ERR");
      assertThat(side.commandStat("get")).isEqualTo(3);
      assertThat(side.clientList()).hasSize(1).first().extracting("db").isEqualTo("0");
    }
  }

  @Test
  void countsAcceptedConnections() {
    try (var server = RedisServer.start();
        var side = server.side()) {
      long before = side.connectionsAccepted();
      set(server, "a", "1"); // An answer proves that the connection was accepted.
      assertThat(side.connectionsAccepted()).isEqualTo(before + 1);
    }
  }

  @Test
  void restartIsEmptyOnTheSamePortUnlessDataIsKept() {
    try (var server = RedisServer.start()) {
      int port = server.port();
      set(server, "a", "1");
      server.restartKeepingData();
      assertThat(get(server, "a")).isEqualTo("1");
      server.restart();
      assertThat(get(server, "a")).isNull();
      assertThat(server.port()).isEqualTo(port);
    }
  }

  @Test
  void killedServerIsGoneUntilStartedAgain() {
    try (var server = RedisServer.start();
        var side = server.side()) {
      server.kill();
      assertThatThrownBy(() -> side.command("PING")).isInstanceOf(UncheckedIOException.class);
      assertThatThrownBy(server::side).isInstanceOf(UncheckedIOException.class);
      server.startAgain();
      assertThat(get(server, "a")).isNull();
    }
  }

  @Test
  void pausedServerAnswersAfterItIsResumed() {
    try (var server = RedisServer.start();
        var side = server.side()) {
      server.pause();
      side.send("PING");
      assertThat(side.silentFor(Duration.ofMillis(200))).isTrue();
      server.resume();
      assertThat(side.read()).isEqualTo("PONG");
    }
  }

  @Test
  void pausedServerCanBeStoppedAndKilled() {
    try (var server = RedisServer.start()) {
      server.pause();
      server.stop();
      server.startAgain();
      server.pause();
      server.kill();
      server.startAgain();
      assertThat(get(server, "a")).isNull();
    }
  }

  @Test
  void extraLinesSetPasswordUsersAndMemory() {
    try (var server =
        RedisServer.start("requirepass p@ss", "maxmemory 64mb", "user amy on >pw ~* +@all")) {
      assertThatThrownBy(() -> RedisSide.open(server.port()).command("GET", "a"))
          .hasMessageStartingWith("NOAUTH");
      set(server, "a", "1");
      try (var amy = RedisSide.open(URI.create(server.uri("amy", "pw", 3)))) {
        assertThat(amy.command("ACL", "WHOAMI")).isEqualTo("amy");
        assertThat(amy.clientList())
            .filteredOn("user", "amy")
            .singleElement()
            .extracting("db")
            .isEqualTo("3");
        assertThat(amy.command("CONFIG", "GET", "maxmemory"))
            .isEqualTo(List.of("maxmemory", "67108864"));
      }
    }
  }

  private static void set(RedisServer server, String key, String value) {
    try (var side = server.side()) {
      side.command("SET", key, value);
    }
  }

  private static Object get(RedisServer server, String key) {
    try (var side = server.side()) {
      return side.command("GET", key);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
