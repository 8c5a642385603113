package io.runtimestate.redis;

import static io.runtimestate.data.FailureCode.CAPACITY_EXHAUSTED;
import static io.runtimestate.data.FailureCode.INVALID_CONFIGURATION;
import static io.runtimestate.data.FailureCode.INVALID_INPUT;
import static io.runtimestate.data.FailureCode.NO_SUCH_STREAM;
import static io.runtimestate.data.FailureCode.UNAVAILABLE;
import static io.runtimestate.data.FailureCode.UNEXPECTED_REPLY;
import static io.runtimestate.data.FailureCode.WRONG_TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.redis.ServerErrors.Reaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ServerErrorsTest {
  private static RuntimeStateException translate(String operation, String error) {
    return ServerErrors.translate(new Call(operation, true, 0, null, null, null), error);
  }

  static Arguments[] texts() {
    return new Arguments[] {
      Arguments.of("WRONGTYPE Operation against a key holding the wrong kind of value", WRONG_TYPE),
      Arguments.of(
          "WRONGTYPE Operation against a key holding the wrong kind of value"
              + " script: 7fb4, on @user_script:1.",
          WRONG_TYPE),
      Arguments.of("OOM command not allowed when used memory > 'maxmemory'.", CAPACITY_EXHAUSTED),
      Arguments.of(
          "@user_script: 1: -OOM command not allowed when used memory", CAPACITY_EXHAUSTED),
      Arguments.of(
          "ERR Error running script (call to f_0): @user_script:1: -OOM command not allowed",
          CAPACITY_EXHAUSTED),
      Arguments.of(
          "@user_script: 1: The user executing the script can't run this command or subcommand",
          INVALID_CONFIGURATION),
      Arguments.of(
          "ERR The user executing the script can't access at least one of the keys mentioned",
          INVALID_CONFIGURATION),
      Arguments.of("NOPERM this user has no permissions", INVALID_CONFIGURATION),
      Arguments.of("ERR value is not an integer or out of range", WRONG_TYPE),
      Arguments.of("ERR increment or decrement would overflow", INVALID_INPUT),
      Arguments.of("LOADING Redis is loading the dataset in memory", UNAVAILABLE),
      Arguments.of("READONLY You can't write against a read only replica.", UNAVAILABLE),
      Arguments.of(
          "@user_script: 1: -READONLY You can't write against a read only replica.", UNAVAILABLE),
      Arguments.of("UNBLOCKED the stream key no longer exists", NO_SUCH_STREAM),
      Arguments.of("UNBLOCKED client unblocked via CLIENT UNBLOCK", UNAVAILABLE),
      Arguments.of("NOREPLICAS Not enough good replicas to write.", UNAVAILABLE),
      Arguments.of(
          "ERR Error running script (call to f_39e0): @user_script:1: @user_script: 1:"
              + " -NOREPLICAS Not enough good replicas to write.",
          UNAVAILABLE),
      Arguments.of(
          "ERR Error running script (call to f_39e0): @user_script:1: @user_script: 1:"
              + " -MISCONF Redis is configured to save RDB snapshots",
          UNAVAILABLE),
      Arguments.of("BUSY Redis is busy running a script.", UNAVAILABLE),
      Arguments.of("MASTERDOWN Link with MASTER is down", UNAVAILABLE),
      Arguments.of("ERR max number of clients reached", UNAVAILABLE),
      Arguments.of("MOVED 1 127.0.0.1:1", INVALID_CONFIGURATION),
      Arguments.of("ERR something nobody has heard of", UNEXPECTED_REPLY)
    };
  }

  @ParameterizedTest
  @MethodSource("texts")
  void knowsBothVersionsTexts(String error, FailureCode code) {
    assertThat(translate("kv.set", error).code()).isEqualTo(code);
  }

  @Test
  void aRefusalProvesThatNothingWasDone() {
    assertThat(translate("kv.set", "OOM command").mayHaveBeenApplied()).isFalse();
    assertThat(translate("kv.set", "ERR who knows").mayHaveBeenApplied()).isTrue();
  }

  @Test
  void damageOfTheControlTierIsNoTypeConflict() {
    assertThat(translate("rate.count", "WRONGTYPE Operation").code()).isEqualTo(UNEXPECTED_REPLY);
  }

  @Test
  void neverShowsWhatTheServerWrote() {
    assertThat(translate("kv.set", "ERR unknown command, args: 'secret'"))
        .hasMessageNotContaining("secret")
        .hasMessageStartingWith("kv.set: ");
  }

  @Test
  void someRefusalsAreNotTheCallersBusiness() {
    assertThat(ServerErrors.reactionTo("NOSCRIPT No matching")).isEqualTo(Reaction.SEND_TEXT);
    assertThat(ServerErrors.reactionTo("TRYAGAIN Multiple keys")).isEqualTo(Reaction.RETRY);
    assertThat(ServerErrors.reactionTo("CLUSTERDOWN Hash slot")).isEqualTo(Reaction.RETRY);
    assertThat(ServerErrors.reactionTo("READONLY You can't")).isEqualTo(Reaction.RECONNECT);
    assertThat(ServerErrors.reactionTo("UNBLOCKED force unblock, instance state changed"))
        .isEqualTo(Reaction.RECONNECT);
    assertThat(ServerErrors.reactionTo("OOM command")).isEqualTo(Reaction.FAIL);
  }
}
