package io.runtimestate.redis;

import static io.runtimestate.redis.LaneKind.FAST;

import io.runtimestate.data.UsageDecision;
import io.runtimestate.data.UsagePeek;
import io.runtimestate.data.UsageRule;
import io.runtimestate.operation.UsageOperation.Consume;
import io.runtimestate.operation.UsageOperation.Peek;
import io.runtimestate.operation.UsageOperation.Release;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Usage limits.
 *
 * <p>A window is one sorted set of event ids by time, so that nothing of it can be lost alone. Two
 * members with blank names, which no event has, and negative scores, which no time has, keep what
 * is said of the whole: the empty text its retention deadline d, as -d; one blank its dead mark f,
 * as -(f + 1): the events up to f are removed for good although they are still stored, because no
 * call removes more than 1 000.
 */
final class UsageCommands implements Family {
  private static final Script CONSUME = Script.load("usage_consume");
  private static final Script PEEK = Script.load("usage_peek");
  private static final Script RELEASE = Script.load("usage_release");
  private static final String ALLOWED = "1";
  private static final int ANSWERS_PER_RULE = 3;

  private final Keyspace keys;

  UsageCommands(Keyspace keys) {
    this.keys = keys;
  }

  @Override
  public void register(Commands commands) {
    commands.on(Consume.class, this::consume);
    commands.on(Peek.class, this::peek);
    commands.on(Release.class, this::release);
  }

  @Override
  public List<Script> scripts() {
    return List.of(CONSUME, PEEK, RELEASE);
  }

  @Override
  public List<RedisCommand> probes(String unused) {
    return List.of(
        probe(Command.ZADD, unused).arg("none").arg(""),
        probe(Command.ZMSCORE, unused).arg(""),
        probe(Command.ZCARD, unused),
        probe(Command.ZCOUNT, unused).arg(0).arg(0),
        probe(Command.ZRANGE, unused).arg(0).arg(0),
        probe(Command.ZREM, unused).arg(""),
        probe(Command.ZREMRANGEBYSCORE, unused).arg(0).arg(0),
        probe(Command.ZREMRANGEBYRANK, unused).arg(0).arg(0),
        probe(Command.PEXPIRE, unused).arg(1),
        probe(Command.UNLINK, unused),
        RedisCommand.of(Command.TIME));
  }

  private RedisCommand probe(Command command, String unused) {
    return RedisCommand.of(command).arg(keys.usageWindow(unused));
  }

  private Future<UsageDecision> consume(Consume consume, Call call) {
    List<UsageRule> rules = consume.rules();
    return rules.isEmpty()
        ? call.answer(new UsageDecision.Allowed())
        : call.send(
            FAST,
            command(CONSUME, rules, consume.eventId(), consume.now()),
            reply -> decision(reply, rules));
  }

  private Future<List<UsagePeek>> peek(Peek peek, Call call) {
    List<UsageRule> rules = peek.rules();
    return rules.isEmpty()
        ? call.answer(List.of())
        : call.send(
            FAST, command(PEEK, rules, peek.eventId(), peek.now()), reply -> peeks(reply, rules));
  }

  private RedisCommand command(
      Script script, List<UsageRule> rules, String eventId, OptionalLong now) {
    RedisCommand command =
        script.on(rules.stream().map(rule -> keys.usageWindow(rule.key())).toList()).arg(eventId);
    now.ifPresentOrElse(command::arg, () -> command.arg(""));
    for (UsageRule rule : rules) {
      command.arg(rule.limit()).arg(rule.window()).arg(rule.effectiveRetention());
    }
    return command;
  }

  private Future<Void> release(Release release, Call call) {
    List<String> windows = release.keys().stream().map(keys::usageWindow).toList();
    return windows.isEmpty()
        ? call.answer(null)
        : call.send(FAST, RELEASE.on(windows).arg(release.eventId()), Replies::ok);
  }

  private static UsageDecision decision(Response reply, List<UsageRule> rules) {
    List<String> parts = Replies.texts(reply);
    if (parts.get(0).equals(ALLOWED)) {
      return new UsageDecision.Allowed();
    }
    int index = Integer.parseInt(parts.get(1));
    long wait = Long.parseLong(parts.get(2));
    return new UsageDecision.Rejected(index, rules.get(index).limit(), Duration.ofMillis(wait));
  }

  private static List<UsagePeek> peeks(Response reply, List<UsageRule> rules) {
    List<String> parts = Replies.texts(reply);
    List<UsagePeek> peeks = new ArrayList<>(rules.size());
    for (int i = 0; i < rules.size(); i++) {
      List<String> own = parts.subList(i * ANSWERS_PER_RULE, (i + 1) * ANSWERS_PER_RULE);
      peeks.add(peek(rules.get(i), own));
    }
    return List.copyOf(peeks);
  }

  private static UsagePeek peek(UsageRule rule, List<String> parts) {
    long used = Long.parseLong(parts.get(0));
    Optional<Duration> wait =
        Optional.of(parts.get(2))
            .filter(text -> !text.isEmpty())
            .map(text -> Duration.ofMillis(Long.parseLong(text)));
    return new UsagePeek(
        used, Math.max(0, rule.limit() - used), parts.get(1).equals(ALLOWED), wait);
  }
}
