package io.runtimestate.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FakeRedisTest {

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    Await.get(vertx.close());
  }

  @Test
  void scriptAnswersOrIsSilent() {
    try (var fake = FakeRedis.start(vertx, request -> said(request.get(0)));
        var side = RedisSide.open(fake.port())) {
      assertThat(side.command("word", "a\r\nb")).isEqualTo("ä");
      side.send("silence");
      assertThat(side.silentFor(Duration.ofMillis(100))).isTrue();
      fake.push(FakeRedis.integer(7));
      assertThat(side.read()).isEqualTo(7L);
      assertThat(fake.requests()).containsExactly(List.of("word", "a\r\nb"), List.of("silence"));
      assertThat(fake.open()).isEqualTo(1);
    }
  }

  private static String said(String word) {
    return word.equals("word") ? FakeRedis.bulk("ä") : null;
  }

  @Test
  void theRealClientShakesHands() {
    try (var fake =
        FakeRedis.start(vertx, FakeRedis.polite("7.0.0", request -> FakeRedis.error("OOM full")))) {
      var client = Redis.createClient(vertx, fake.uri());
      assertThat(Await.get(client.send(Request.cmd(Command.PING)))).hasToString("PONG");
      assertThat(Await.failure(client.send(Request.cmd(Command.GET).arg("a"))))
          .hasMessage("OOM full");
      client.close();
    }
  }
}
