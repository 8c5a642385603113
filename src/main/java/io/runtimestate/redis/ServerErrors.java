package io.runtimestate.redis;

import static io.runtimestate.data.FailureCode.CAPACITY_EXHAUSTED;
import static io.runtimestate.data.FailureCode.CROSS_SLOT;
import static io.runtimestate.data.FailureCode.INTERNAL;
import static io.runtimestate.data.FailureCode.INVALID_CONFIGURATION;
import static io.runtimestate.data.FailureCode.INVALID_INPUT;
import static io.runtimestate.data.FailureCode.NO_SUCH_GROUP;
import static io.runtimestate.data.FailureCode.NO_SUCH_STREAM;
import static io.runtimestate.data.FailureCode.OVERLOADED;
import static io.runtimestate.data.FailureCode.UNAVAILABLE;
import static io.runtimestate.data.FailureCode.UNEXPECTED_REPLY;
import static io.runtimestate.data.FailureCode.WRONG_TYPE;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The one place that turns refusals of the server and of the client into failures.
 *
 * <p>A refusal is known by its first word, or by a phrase where the server has no word for it:
 * errors inside scripts come without their word before 7.0, behind a place in the script, or two.
 * What the server wrote is never shown: it may quote keys and values.
 */
final class ServerErrors {
  /** What to do about a refusal. */
  enum Reaction {
    /** The script is not loaded: the same call with its text. */
    SEND_TEXT,
    /** Of several keys one is not allowed or in another slot: each call with its own keys only. */
    SEND_ALONE,
    /** Another server of the cluster has it. */
    REDIRECT,
    /** It did not run and may soon. */
    RETRY,
    /** This server takes no writes any more. */
    RECONNECT,
    FAIL
  }

  private record Meaning(FailureCode code, String reason) {}

  private static final Meaning UNKNOWN =
      new Meaning(UNEXPECTED_REPLY, "the server answered with an unexpected error");
  private static final Meaning CLUSTER =
      new Meaning(INVALID_CONFIGURATION, "redis.topology must be cluster for this server");
  private static final Meaning NO_CLUSTER =
      new Meaning(INVALID_CONFIGURATION, "redis.topology is cluster, but this server is in none");
  private static final Meaning NOT_PERMITTED =
      new Meaning(INVALID_CONFIGURATION, "the server refused the user or a permission is missing");
  private static final Meaning NO_DATABASE =
      new Meaning(INVALID_CONFIGURATION, "redis.database does not exist on this server");
  private static final Meaning MEMORY_FULL =
      new Meaning(CAPACITY_EXHAUSTED, "the server's maxmemory is used up");
  private static final Meaning BAD_TYPE =
      new Meaning(WRONG_TYPE, "the key holds a value of another type");
  private static final Meaning DAMAGED =
      new Meaning(UNEXPECTED_REPLY, "the stored state was damaged from outside");

  private static final Map<String, Meaning> BY_FIRST_WORD =
      Map.ofEntries(
          Map.entry("WRONGTYPE", BAD_TYPE),
          Map.entry("DAMAGED", DAMAGED), // said by scripts of this library
          Map.entry("OOM", MEMORY_FULL),
          Map.entry("NOAUTH", NOT_PERMITTED),
          Map.entry("WRONGPASS", NOT_PERMITTED),
          Map.entry("NOPERM", NOT_PERMITTED),
          Map.entry("LOADING", unavailable("the server is loading its data")),
          Map.entry("READONLY", unavailable("the server is a replica")),
          Map.entry("MASTERDOWN", unavailable("the server has lost its master")),
          Map.entry("NOREPLICAS", unavailable("the server has too few replicas")),
          Map.entry("MISCONF", unavailable("the server cannot save its data")),
          Map.entry("BUSY", unavailable("the server is busy with a script")),
          Map.entry("CLUSTERDOWN", unavailable("the cluster is down")),
          Map.entry("TRYAGAIN", unavailable("the cluster is moving slots")),
          Map.entry("MOVED", CLUSTER),
          Map.entry("ASK", CLUSTER),
          Map.entry("CROSSSLOT", new Meaning(CROSS_SLOT, "the keys need a common {tag}")),
          Map.entry("NOGROUP", new Meaning(NO_SUCH_GROUP, "no such stream or group")),
          Map.entry("NOSTREAM", new Meaning(NO_SUCH_STREAM, "no such stream")));

  private static final List<Map.Entry<String, Meaning>> BY_PHRASE =
      List.of(
          Map.entry("OOM command not allowed", MEMORY_FULL),
          Map.entry("The user executing the script can't", NOT_PERMITTED),
          Map.entry("access at least one of the keys", NOT_PERMITTED),
          Map.entry("cluster support disabled", NO_CLUSTER),
          Map.entry("invalid password", NOT_PERMITTED),
          Map.entry("without any password configured", NOT_PERMITTED),
          Map.entry("DB index is out of range", NO_DATABASE),
          Map.entry("SELECT is not allowed", NO_DATABASE),
          Map.entry("max number of clients", unavailable("the server has too many clients")),
          Map.entry("against a read only replica", unavailable("the server is a replica")),
          Map.entry("against a key holding the wrong kind", BAD_TYPE),
          Map.entry("value is not an integer", new Meaning(WRONG_TYPE, "the value is no integer")),
          Map.entry("would overflow", new Meaning(INVALID_INPUT, "the result exceeds 64 bits")),
          Map.entry("key no longer exists", new Meaning(NO_SUCH_STREAM, "the stream has vanished")),
          Map.entry("UNBLOCKED", unavailable("the server ended the wait")),
          Map.entry("no such key", new Meaning(NO_SUCH_STREAM, "no such stream")),
          Map.entry(
              "exhausted the last possible ID",
              new Meaning(CAPACITY_EXHAUSTED, "the stream has no further id")));

  private static final Set<String> CONTROL_TIER = Set.of("rate", "usage", "lock", "semaphore");
  private static final Pattern PLACE_IN_SCRIPT =
      Pattern.compile("^(ERR Error running script[^:]*: )?(@user_script: ?[0-9]+: *)+-?");
  private static final List<String> MADE_BY_CLIENT =
      List.of("CONNECTION_CLOSED", "ILLEGAL_STATE", "Invalid boolean");

  private ServerErrors() {}

  private static Meaning unavailable(String reason) {
    return new Meaning(UNAVAILABLE, reason);
  }

  /**
   * Whether a failed command was answered: the client also uses error replies of its own making.
   */
  static boolean isReply(Throwable failure) {
    return failure instanceof Response
        && MADE_BY_CLIENT.stream().noneMatch(failure.getMessage()::startsWith);
  }

  static Reaction reactionTo(String error) {
    return switch (firstWord(error)) {
      case "NOSCRIPT" -> Reaction.SEND_TEXT;
      case "NOPERM", "CROSSSLOT" -> Reaction.SEND_ALONE;
      case "MOVED", "ASK" -> Reaction.REDIRECT;
      case "TRYAGAIN", "CLUSTERDOWN" -> Reaction.RETRY;
      case "READONLY" -> Reaction.RECONNECT;
      default -> isNoMaster(error) ? Reaction.RECONNECT : Reaction.FAIL;
    };
  }

  /** Servers say it to scripts, and to readers that wait when they become a replica. */
  private static boolean isNoMaster(String error) {
    return error.contains("against a read only replica")
        || error.contains("instance state changed");
  }

  /** The failure of a call that the server refused; a refusal proves that nothing was done. */
  static RuntimeStateException translate(Call call, String error) {
    Meaning meaning = meaningOf(error);
    Meaning known = meaning == BAD_TYPE && isControlTier(call) ? DAMAGED : meaning;
    return call.failure(known.code, known.reason, known == UNKNOWN);
  }

  /** A refusal during the handshake. */
  static RuntimeStateException ofHandshake(String error, String where) {
    Meaning meaning = meaningOf(error);
    return new RuntimeStateException(
        meaning.code, "open: " + meaning.reason + " (" + where + ")", false, null);
  }

  static boolean isNotPermitted(String error) {
    return meaningOf(error) == NOT_PERMITTED;
  }

  private static Meaning meaningOf(String error) {
    Meaning byWord = BY_FIRST_WORD.get(firstWord(error));
    return byWord != null ? byWord : byPhrase(error);
  }

  private static Meaning byPhrase(String error) {
    return BY_PHRASE.stream()
        .filter(phrase -> error.contains(phrase.getKey()))
        .findFirst()
        .map(Map.Entry::getValue)
        .orElse(UNKNOWN);
  }

  private static String firstWord(String error) {
    String bare = PLACE_IN_SCRIPT.matcher(error).replaceFirst("");
    int end = bare.indexOf(' ');
    return end < 0 ? bare : bare.substring(0, end);
  }

  private static boolean isControlTier(Call call) {
    return CONTROL_TIER.contains(call.name().substring(0, Math.max(0, call.name().indexOf('.'))));
  }

  // --- refusals by the client

  /** Whether the client gave up on one command while its connection is all right. */
  static boolean concernsCommandOnly(Throwable failure) {
    String text = String.valueOf(failure.getMessage());
    return text.startsWith("Redis waiting queue is full")
        || text.startsWith("Command is not valid")
        || text.contains("CROSSSLOT");
  }

  /** The failure of the command that brought it up, if it differs from a lost connection. */
  static Optional<RuntimeStateException> ofClient(Call call, Throwable failure) {
    String text = String.valueOf(failure.getMessage());
    return Optional.ofNullable(clientMeaning(text))
        .map(meaning -> call.failure(meaning.code, meaning.reason, meaning == UNKNOWN));
  }

  private static Meaning clientMeaning(String text) {
    if (text.startsWith("Redis waiting queue is full")) {
      return new Meaning(OVERLOADED, "redis.maxPendingCommands is reached");
    } else if (text.startsWith("Command is not valid")) {
      return new Meaning(INTERNAL, "the command is not valid");
    } else if (text.startsWith("Connection is closed")) {
      return unavailable("connection lost, not sent");
    } else if (text.startsWith("ILLEGAL_STATE") || text.startsWith("Invalid boolean")) {
      return UNKNOWN;
    } else {
      return text.contains("CROSSSLOT") ? BY_FIRST_WORD.get("CROSSSLOT") : null;
    }
  }
}
