package io.runtimestate.redis;

import static io.runtimestate.redis.LaneKind.FAST;

import io.runtimestate.data.RateDecision;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.TokenDecision;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.RateOperation.Consume;
import io.runtimestate.operation.RateOperation.Count;
import io.runtimestate.operation.RateOperation.Refund;
import io.runtimestate.operation.RateOperation.TokenBucket;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rate limits. */
final class RateCommands implements Family {
  private static final Script CONSUME = Script.load("rate_consume");
  private static final Script REFUND = Script.load("rate_refund");
  private static final Script TOKEN_BUCKET = Script.load("token_bucket");
  private static final String ALLOWED = "1";
  private static final String ABSENT = "";

  private final Keyspace keys;

  RateCommands(Keyspace keys) {
    this.keys = keys;
  }

  @Override
  public void register(Commands commands) {
    commands.on(Consume.class, this::consume);
    commands.on(Count.class, FAST, this::count, Replies::count);
    commands.on(Refund.class, this::refund);
    commands.on(TokenBucket.class, FAST, this::tokenBucket, RateCommands::tokenDecision);
  }

  @Override
  public List<Script> scripts() {
    return List.of(CONSUME, REFUND, TOKEN_BUCKET);
  }

  @Override
  public List<RedisCommand> probes(String unused) {
    String key = keys.counter(0, unused);
    return List.of(
        RedisCommand.of(Command.GET).arg(key),
        RedisCommand.of(Command.SET).arg(key).arg("").arg("XX"),
        RedisCommand.of(Command.INCRBY).arg(key).arg("none"),
        RedisCommand.of(Command.DECRBY).arg(key).arg("none"),
        RedisCommand.of(Command.PTTL).arg(key),
        RedisCommand.of(Command.PEXPIRE).arg(key).arg(1),
        RedisCommand.of(Command.TIME));
  }

  // --- fixed buckets

  private Future<RateDecision> consume(Consume consume, Call call) {
    List<RateScope> limited = limited(consume.scopes());
    if (limited.isEmpty()) {
      return unlimited(consume, call);
    }
    RedisCommand command =
        CONSUME
            .on(counters(consume, limited, consume.bucket()))
            .arg(consume.cost())
            .arg(consume.ttl());
    command.arg(end(consume).map(String::valueOf).orElse(ABSENT));
    addCeilings(command, limited, consume.cost());
    return call.send(FAST, command, reply -> decision(reply, limited));
  }

  /** Only the time is left to ask for, and only if the answer is to say when the bucket ends. */
  private Future<RateDecision> unlimited(Consume consume, Call call) {
    Optional<Long> end = end(consume);
    return end.isEmpty()
        ? call.answer(new RateDecision.Allowed(0, 0, Optional.empty()))
        : call.send(
            FAST,
            RedisCommand.of(Command.TIME),
            reply -> {
              long left = Math.max(1, end.get() - Replies.unixMillis(reply));
              return new RateDecision.Allowed(0, 0, Optional.of(Duration.ofMillis(left)));
            });
  }

  private static Optional<Long> end(Consume consume) {
    return consume.window().map(window -> (consume.bucket() + 1) * window.toMillis());
  }

  private static List<RateScope> limited(List<RateScope> scopes) {
    List<RateScope> limited = new ArrayList<>(scopes.size());
    for (RateScope scope : scopes) {
      if (scope.isLimited()) {
        limited.add(scope);
      }
    }
    return limited;
  }

  private List<String> counters(Operation<?> operation, List<RateScope> limited, long bucket) {
    List<String> counters = new ArrayList<>(limited.size());
    for (RateScope scope : limited) {
      counters.add(keys.counter(bucket, scope.key()));
    }
    keys.requireOneSlot(operation, counters);
    return counters;
  }

  /** The highest count of each scope that still admits, after the earlier charges of its key. */
  private static void addCeilings(RedisCommand command, List<RateScope> limited, long cost) {
    for (int i = 0; i < limited.size(); i++) {
      RateScope scope = limited.get(i);
      long ceiling = scope.limit() - cost;
      for (int earlier = 0; earlier < i; earlier++) {
        ceiling -= limited.get(earlier).key().equals(scope.key()) ? cost : 0;
      }
      command.arg(ceiling);
    }
  }

  private static RateDecision decision(Response reply, List<RateScope> limited) {
    List<String> parts = Replies.texts(reply);
    Optional<Duration> end = optionalMillis(parts.get(1));
    if (!parts.get(0).equals(ALLOWED)) {
      RateScope scope = limited.get(Integer.parseInt(parts.get(2)));
      return new RateDecision.Rejected(scope.name(), scope.limit(), end);
    }
    RateScope tightest = null;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < limited.size(); i++) {
      long left = Math.max(0, limited.get(i).limit() - Long.parseLong(parts.get(i + 2)));
      if (left < least) {
        tightest = limited.get(i);
        least = left;
      }
    }
    return new RateDecision.Allowed(least, tightest.limit(), end);
  }

  private RedisCommand count(Count count) {
    return RedisCommand.of(Command.GET).arg(keys.counter(count.bucket(), count.key()));
  }

  private Future<Void> refund(Refund refund, Call call) {
    List<RateScope> limited = limited(refund.scopes());
    return limited.isEmpty()
        ? call.answer(null)
        : call.send(
            FAST,
            REFUND.on(counters(refund, limited, refund.bucket())).arg(refund.cost()),
            Replies::ok);
  }

  // --- token buckets

  private RedisCommand tokenBucket(TokenBucket take) {
    return TOKEN_BUCKET
        .on(keys.tokenBucket(take.key()))
        .arg(take.capacity())
        .arg(take.refillTokens())
        .arg(take.refillPeriod())
        .arg(take.tokens());
  }

  private static TokenDecision tokenDecision(Response reply) {
    List<String> parts = Replies.texts(reply);
    long number = Long.parseLong(parts.get(1));
    return parts.get(0).equals(ALLOWED)
        ? new TokenDecision.Allowed(number)
        : new TokenDecision.Rejected(Duration.ofMillis(number));
  }

  private static Optional<Duration> optionalMillis(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(Duration.ofMillis(Long.parseLong(text)));
  }
}
