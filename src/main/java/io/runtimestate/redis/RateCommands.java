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
  private static final Script CONSUME_MANY = Script.load("rate_consume_many");
  private static final Script REFUND = Script.load("rate_refund");
  private static final Script TOKEN_BUCKET = Script.load("token_bucket");
  private static final int ALLOWED = 1;
  private static final int HEAD_TERMS = 3; // cost, expiry, flags
  private static final int TELL_TIME = 1;
  private static final int REPEATS = 2;
  private static final long LEFT = 0xFFFF_FFFFL; // the index of its scope is above it

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
    return List.of(CONSUME, CONSUME_MANY, REFUND, TOKEN_BUCKET);
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
        CONSUME.jointly(
            CONSUME_MANY, counters(consume, limited, consume.bucket()), terms(consume, limited));
    return call.sendJointly(FAST, command, line -> decision(line, consume, limited));
  }

  /** Only the time is left to ask for, and only if the answer is to say when the bucket ends. */
  private Future<RateDecision> unlimited(Consume consume, Call call) {
    return consume.window().isEmpty()
        ? call.answer(new RateDecision.Allowed(0, 0, Optional.empty()))
        : call.send(
            FAST,
            RedisCommand.of(Command.TIME),
            reply -> new RateDecision.Allowed(0, 0, left(consume, Replies.unixMillis(reply))));
  }

  /** The time from a time of the server to the end of the bucket, if it is asked for. */
  private static Optional<Duration> left(Consume consume, long unixMillis) {
    if (consume.window().isEmpty()) {
      return Optional.empty();
    }
    long end = (consume.bucket() + 1) * consume.window().get().toMillis();
    return Optional.of(Duration.ofMillis(Math.max(1, end - unixMillis)));
  }

  private static List<RateScope> limited(List<RateScope> scopes) {
    List<RateScope> limited = new ArrayList<>(scopes.size());
    for (int i = 0; i < scopes.size(); i++) {
      if (scopes.get(i).isLimited()) {
        limited.add(scopes.get(i));
      }
    }
    return limited.size() == scopes.size() ? scopes : limited;
  }

  private List<String> counters(Operation<?> operation, List<RateScope> limited, long bucket) {
    List<String> counters = new ArrayList<>(limited.size());
    for (int i = 0; i < limited.size(); i++) {
      counters.add(keys.counter(bucket, limited.get(i).key()));
    }
    keys.requireOneSlot(operation, counters);
    return counters;
  }

  private static long[] terms(Consume consume, List<RateScope> limited) {
    int keys = limited.size();
    boolean repeats = repeats(limited);
    long[] terms = new long[HEAD_TERMS + (repeats ? 2 * keys : keys)];
    terms[0] = consume.cost();
    terms[1] = consume.ttl().toMillis();
    terms[2] = (consume.window().isPresent() ? TELL_TIME : 0) + (repeats ? REPEATS : 0);
    for (int i = 0; i < keys; i++) {
      long earlier = consume.cost() * count(limited, i, 0, i);
      terms[HEAD_TERMS + i] = limited.get(i).limit() - consume.cost() - earlier;
      if (repeats) {
        terms[HEAD_TERMS + keys + i] = consume.cost() * count(limited, i, i + 1, keys);
      }
    }
    return terms;
  }

  private static boolean repeats(List<RateScope> limited) {
    boolean repeats = false;
    for (int i = 1; i < limited.size(); i++) {
      repeats |= count(limited, i, 0, i) > 0;
    }
    return repeats;
  }

  /** How many scopes of a range have the key of a certain one. */
  private static int count(List<RateScope> limited, int place, int from, int to) {
    String key = limited.get(place).key();
    int count = 0;
    for (int i = from; i < to; i++) {
      count += limited.get(i).key().equals(key) ? 1 : 0;
    }
    return count;
  }

  private static RateDecision decision(String line, Consume consume, List<RateScope> limited) {
    Numbers numbers = new Numbers(line);
    boolean allowed = numbers.next() == ALLOWED;
    long unixMillis = numbers.next() * 1_000 + numbers.next() / 1_000;
    Optional<Duration> end = left(consume, unixMillis);
    long rest = numbers.next();
    return allowed
        ? new RateDecision.Allowed(rest & LEFT, limited.get((int) (rest >> 32)).limit(), end)
        : rejected(limited.get((int) rest), end);
  }

  private static RateDecision rejected(RateScope scope, Optional<Duration> end) {
    return new RateDecision.Rejected(scope.name(), scope.limit(), end);
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
    return Long.parseLong(parts.get(0)) == ALLOWED
        ? new TokenDecision.Allowed(number)
        : new TokenDecision.Rejected(Duration.ofMillis(number));
  }
}
