package io.runtimestate.redis;

import io.runtimestate.config.RedisUrl;
import io.runtimestate.operation.QueueOperation.Read;
import io.runtimestate.spi.HashSlots;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;

/**
 * The masters of a cluster, each with lanes of its own, and the map from slots to them.
 *
 * <p>A redirection corrects one slot at once. It, a lost connection, calls that wait for one and
 * refusals of the cluster raise a doubt, which has the whole map looked up again, by any node, not
 * more often than every {@value #PAUSE_MILLIS} ms. Calls that wait for a master that was replaced
 * move to its successor.
 */
final class ClusterServers implements Servers {
  private static final long PAUSE_MILLIS = 200;
  private static final Request QUESTION = Request.cmd(Command.CLUSTER, "SLOTS");

  private final Loop loop;
  private final Lookup lookup;
  private final Connector connector;
  private final BiFunction<Connector, Servers, Lanes> lanes;
  private final LaneKinds kinds;
  private final List<RedisUrl> seeds;
  private final Map<Address, Lanes> masters = new ConcurrentHashMap<>();
  private final AtomicBoolean doubted = new AtomicBoolean();
  // Single slots are corrected in place without any ordering: a stale look costs a redirection.
  private volatile Lanes[] owners = new Lanes[HashSlots.COUNT];
  private volatile List<Integer> shards = List.of();
  private volatile boolean closed;
  private long lookedAt = System.nanoTime();
  private int turn;

  /**
   * @param seeds nodes to ask at first; all others are reached as the first of them is
   */
  ClusterServers(
      Loop loop,
      Connector connector,
      List<RedisUrl> seeds,
      BiFunction<Connector, Servers, Lanes> lanes,
      LaneKinds kinds) {
    this.loop = loop;
    this.connector = connector;
    this.seeds = seeds;
    this.lanes = lanes;
    this.kinds = kinds;
    this.lookup = new Lookup(connector, loop);
  }

  @Override
  public Lanes of(RedisCommand command) {
    int slot = command.slot();
    Lanes owner = slot < 0 ? null : owners[slot];
    return owner == null ? any() : owner;
  }

  /** Anybody, but rather one that is there. */
  private Lanes any() {
    Lanes[] known = owners;
    return shards.stream()
        .map(slot -> known[slot])
        .filter(Lanes::isUp)
        .findFirst()
        .orElse(known[shards.get(0)]);
  }

  @Override
  public Optional<Lanes> redirected(Exchange<?> exchange, String asked, String error) {
    String[] words = error.split(" "); // MOVED or ASK, the slot, the address
    Lanes owner = master(Address.read(words[2], asked));
    if (words[0].equals("MOVED")) {
      owners[Integer.parseInt(words[1])] = owner;
      doubt();
    } else {
      exchange.askFirst();
    }
    return Optional.of(owner);
  }

  private Lanes master(Address address) {
    return masters.computeIfAbsent(address, this::lanes);
  }

  private Lanes lanes(Address address) {
    return lanes.apply(connector.to(address.like(seeds.get(0))), this);
  }

  @Override
  public void doubt() {
    if (!closed && doubted.compareAndSet(false, true)) {
      loop.soon(this::lookSoon);
    }
  }

  private void lookSoon() {
    long since = (System.nanoTime() - lookedAt) / 1_000_000;
    loop.later(Math.max(1, PAUSE_MILLIS - since), this::lookAgain);
  }

  /** A look that fails leaves the doubt to whoever still waits. */
  private void lookAgain() {
    if (!closed) {
      look().onComplete(done -> doubted.set(false));
    }
  }

  private Future<Void> look() {
    lookedAt = System.nanoTime();
    return lookup
        .ask(nodes(), QUESTION)
        .map(answer -> SlotMap.read(answer.reply(), answer.by().host()))
        .map(this::adopt);
  }

  /** All that are known, another one first each time: one may be cut off with an old map. */
  private List<RedisUrl> nodes() {
    Set<RedisUrl> nodes = new LinkedHashSet<>();
    masters.keySet().forEach(address -> nodes.add(address.like(seeds.get(0))));
    nodes.addAll(seeds);
    List<RedisUrl> all = new ArrayList<>(nodes);
    Collections.rotate(all, turn++);
    return all;
  }

  /** Runs on the opener's loop only. */
  private Void adopt(SlotMap map) {
    if (!closed && !map.ranges().isEmpty()) {
      Lanes[] next = owners.clone(); // slots nobody owns stay where they were
      map.ranges().forEach(range -> fill(next, range));
      if (!Arrays.equals(next, owners)) {
        shards = shardsOf(next);
        owners = next;
        retireAllBut(new HashSet<>(Arrays.asList(next)));
        masters.values().forEach(Lanes::reroute);
      }
    }
    return null;
  }

  private void fill(Lanes[] next, SlotMap.Range range) {
    Arrays.fill(next, range.first(), range.last() + 1, master(range.master()));
  }

  private static List<Integer> shardsOf(Lanes[] owners) {
    Set<Lanes> seen = new HashSet<>();
    List<Integer> firsts = new ArrayList<>();
    for (int slot = 0; slot < owners.length; slot++) {
      if (owners[slot] != null && seen.add(owners[slot])) {
        firsts.add(slot);
      }
    }
    return List.copyOf(firsts);
  }

  private void retireAllBut(Set<Lanes> needed) {
    List<Lanes> gone = masters.values().stream().filter(lanes -> !needed.contains(lanes)).toList();
    masters.values().removeAll(gone);
    gone.forEach(Lanes::retire);
  }

  @Override
  public List<Integer> shards() {
    return shards;
  }

  @Override
  public boolean haveSlots() {
    return true;
  }

  @Override
  public LaneKinds kinds() {
    return kinds;
  }

  /** One master that answers is enough: one that is down hurts only its slots. */
  @Override
  public Future<Link> open(long timeoutMillis) {
    Promise<Link> first = Promise.promise();
    look().compose(known -> Future.join(controls(first, timeoutMillis))).onFailure(first::tryFail);
    return first.future();
  }

  private List<Future<Link>> controls(Promise<Link> first, long timeoutMillis) {
    return masters.values().stream()
        .map(lanes -> lanes.openControl(timeoutMillis).onSuccess(first::tryComplete))
        .toList();
  }

  @Override
  public Future<Void> openOthers(long timeoutMillis) {
    List<Future<Void>> opened =
        masters.values().stream().map(lanes -> lanes.openOthers(timeoutMillis)).toList();
    return Future.any(opened).mapEmpty();
  }

  /** Another master each time, since the last one may be the one that is gone. */
  @Override
  public Connector forNotices() {
    return connector.toAny(() -> nodes().get(0));
  }

  @Override
  public void endRead(Read read) {
    masters.values().forEach(lanes -> lanes.blocking().end(read));
  }

  @Override
  public Future<Void> closeBlocking() {
    return Future.join(masters.values().stream().map(each -> each.blocking().close()).toList())
        .mapEmpty();
  }

  @Override
  public Future<Void> close() {
    closed = true;
    List<Future<Void>> ends = new ArrayList<>(List.of(lookup.end()));
    masters.values().forEach(lanes -> ends.add(lanes.close()));
    return Future.join(ends).mapEmpty();
  }
}
