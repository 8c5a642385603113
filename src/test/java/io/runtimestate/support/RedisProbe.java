package io.runtimestate.support;

import java.io.UncheckedIOException;

/** Asks whether a server serves already. */
final class RedisProbe {

  private RedisProbe() {}

  /** A refusal to talk without a password is an answer too; a data set still loading is not. */
  static boolean answers(String host, int port) {
    try (var side = RedisSide.open(host, port)) {
      side.command("PING");
      return true;
    } catch (RedisSide.ReplyError e) {
      return !e.getMessage().startsWith("LOADING");
    } catch (UncheckedIOException e) {
      return false;
    }
  }
}
