package io.runtimestate.redis;

import io.runtimestate.operation.QueueOperation.Read;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** One server at a time has all keys. With sentinels it may be another one after each connect. */
final class OneServer implements Servers {
  private static final List<Integer> ALL = List.of(0);

  private final LaneKinds kinds;
  private final Connector connector;
  private final Lanes lanes;

  OneServer(Connector connector, BiFunction<Connector, Servers, Lanes> lanes, LaneKinds kinds) {
    this.kinds = kinds;
    this.connector = connector;
    this.lanes = lanes.apply(connector, this);
  }

  @Override
  public Lanes of(RedisCommand command) {
    return lanes;
  }

  @Override
  public Optional<Lanes> redirected(Exchange<?> exchange, String asked, String error) {
    return Optional.empty();
  }

  @Override
  public void doubt() {}

  @Override
  public List<Integer> shards() {
    return ALL;
  }

  @Override
  public boolean haveSlots() {
    return false;
  }

  @Override
  public LaneKinds kinds() {
    return kinds;
  }

  @Override
  public Future<Link> open(long timeoutMillis) {
    return lanes.openControl(timeoutMillis);
  }

  @Override
  public Future<Void> openOthers(long timeoutMillis) {
    return lanes.openOthers(timeoutMillis);
  }

  @Override
  public Connector forNotices() {
    return connector;
  }

  @Override
  public void endRead(Read read) {
    lanes.blocking().end(read);
  }

  @Override
  public Future<Void> closeBlocking() {
    return lanes.blocking().close();
  }

  @Override
  public Future<Void> close() {
    return lanes.close();
  }
}
