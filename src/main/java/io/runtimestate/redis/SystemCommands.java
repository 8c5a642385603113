package io.runtimestate.redis;

import static io.runtimestate.redis.LaneKind.ADMIN;
import static io.runtimestate.redis.LaneKind.CONTROL;

import io.runtimestate.data.BackendKind;
import io.runtimestate.data.Health;
import io.runtimestate.data.RedisDiagnostics;
import io.runtimestate.data.Statistics;
import io.runtimestate.operation.SystemOperation;
import io.runtimestate.spi.BackendDescription;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The backend itself. */
final class SystemCommands implements Family {
  private static final List<String> SECTIONS = List.of("clients", "memory", "stats");

  /** What Redis adds to the statistics: nothing, since it shares its store with others. */
  private static final Statistics NONE =
      new Statistics(Duration.ZERO, Map.of(), 0, 0, 0, Optional.empty());

  private final BackendDescription description;
  private final Servers servers;

  SystemCommands(BackendDescription description, Servers servers) {
    this.description = description;
    this.servers = servers;
  }

  @Override
  public void register(Commands commands) {
    commands.on(SystemOperation.Info.class, (info, call) -> call.answer(description.info()));
    commands.on(SystemOperation.Time.class, CONTROL, time -> time(), Replies::unixMillis);
    commands.on(SystemOperation.Health.class, this::health);
    commands.on(SystemOperation.Statistics.class, (statistics, call) -> call.answer(NONE));
    commands.on(SystemOperation.Diagnostics.class, this::diagnostics);
  }

  private static RedisCommand time() {
    return RedisCommand.of(Command.TIME);
  }

  private Future<Health> health(SystemOperation.Health health, Call call) {
    long startedAt = System.nanoTime();
    return call.send(CONTROL, RedisCommand.of(Command.PING), Replies::isPong)
        .map(pong -> health(startedAt, pong ? null : "PING was not answered with PONG"))
        .otherwise(failure -> health(startedAt, failure.getMessage()));
  }

  private static Health health(long startedAt, String trouble) {
    Duration latency = Duration.ofMillis((System.nanoTime() - startedAt) / 1_000_000);
    return new Health(
        trouble == null, BackendKind.REDIS.word(), latency, Optional.ofNullable(trouble));
  }

  /** One command per section: before 7.0 INFO takes only one. */
  private Future<Optional<RedisDiagnostics>> diagnostics(
      SystemOperation.Diagnostics diagnostics, Call call) {
    return Chunks.together(call, call.shards(), 1, shard -> info(shard.get(0), call))
        .map(InfoText::sum)
        .map(info -> Optional.of(info.diagnostics(servers.kinds().diagnostics())));
  }

  private static Future<InfoText> info(int shard, Call call) {
    return Chunks.together(call, SECTIONS, 1, section -> section(section.get(0), shard, call))
        .map(texts -> InfoText.parse(String.join("\n", texts)));
  }

  private static Future<String> section(String name, int shard, Call call) {
    return call.send(ADMIN, RedisCommand.of(Command.INFO).arg(name).to(shard), Replies::text);
  }
}
