package io.runtimestate.redis;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a server will do: it answers, is new enough, and the user may use every command of the
 * library. Found out now rather than in the middle of an operation that has begun to write.
 */
final class ServerCheck {
  private static final Pattern VERSION = Pattern.compile("([0-9]{1,6})\\.([0-9]{1,6}).*");
  private static final int OLDEST = 6_002;
  private static final String OLDEST_TEXT = "6.2";

  private final Link link;
  private final List<Family> families;

  ServerCheck(Link link, List<Family> families) {
    this.link = link;
    this.families = families;
  }

  /** The version of the server, if it tells. */
  Future<Optional<String>> run() {
    return link.ask(RedisCommand.of(Command.PING))
        .map(ServerCheck::requirePong)
        .compose(pong -> permissions())
        .compose(permitted -> version())
        .map(ServerCheck::requireNewEnough);
  }

  private static Void requirePong(Response reply) {
    if (!Replies.isPong(reply)) {
      throw failure(FailureCode.UNEXPECTED_REPLY, "PING was not answered with PONG");
    }
    return null;
  }

  private Future<?> permissions() {
    String unused = "unused-" + UUID.randomUUID();
    return Future.all(
        families.stream()
            .flatMap(family -> family.probes(unused).stream())
            .map(this::requirePermitted)
            .toList());
  }

  private Future<Response> requirePermitted(RedisCommand probe) {
    return link.ask(probe).otherwise(refused -> requirePermitted(probe, refused));
  }

  /** Any other refusal is as good as an answer: the probe was not forbidden. */
  private static Response requirePermitted(RedisCommand probe, Throwable refused) {
    if (!ServerErrors.isReply(refused)) {
      throw failure(FailureCode.UNAVAILABLE, "connection lost");
    }
    if (ServerErrors.isNotPermitted(refused.getMessage())) {
      throw failure(
          FailureCode.INVALID_CONFIGURATION,
          "the user may not use " + probe.name() + ", or what it calls, on keys of this prefix");
    }
    return null;
  }

  private Future<Optional<String>> version() {
    return link.ask(RedisCommand.of(Command.INFO).arg("server"))
        .map(info -> InfoText.parse(Replies.text(info)).text("redis_version"))
        .otherwise(Optional.empty());
  }

  private static Optional<String> requireNewEnough(Optional<String> version) {
    version.ifPresent(ServerCheck::requireNewEnough);
    return version;
  }

  private static void requireNewEnough(String version) {
    Matcher parts = VERSION.matcher(version);
    if (parts.matches() && numberOf(parts) < OLDEST) {
      throw failure(
          FailureCode.INVALID_CONFIGURATION,
          "the server must be Redis " + OLDEST_TEXT + " or newer, or Valkey");
    }
  }

  private static int numberOf(Matcher version) {
    return Integer.parseInt(version.group(1)) * 1_000 + Integer.parseInt(version.group(2));
  }

  private static RuntimeStateException failure(FailureCode code, String reason) {
    return new RuntimeStateException(code, "open: " + reason);
  }
}
