package io.runtimestate.bench;

import java.util.List;
import java.util.Map;

/**
 * The same work done by several clients of one Redis, at several depths, started in both ways. A
 * subclass names the clients and what the ratios should be.
 */
abstract class RedisScenario implements Scenario {
  static final String OURS = "ours";
  static final String PLAIN = "plain client";
  static final String MERGING =
      "plain client with merged writes"; // what nothing built on it can pass
  static final String LETTUCE = "Lettuce";
  static final String REDISSON = "Redisson";

  /** The contenders, ours first. */
  abstract List<Peer> peers(RedisStage stage) throws Exception;

  /** What our ratio to each of the others should be. */
  Map<String, Target> targets(Load load) {
    return Map.of(PLAIN, Target.atLeast(0.9), REDISSON, Target.atLeast(1));
  }

  Integer[] depths() {
    return new Integer[] {1, 16, 256, 4_096};
  }

  private static List<Contender> metered(List<Peer> peers, Load load, RedisStage stage) {
    return peers.stream()
        .<Contender>map(peer -> new ServerMetered(peer.under(load), stage))
        .toList();
  }

  @Override
  public final void run(Bench bench) throws Exception {
    try (RedisStage stage = new RedisStage(bench.arguments())) {
      List<Peer> peers = peers(stage);
      for (int depth : bench.arguments().depths(depths())) {
        for (Starts starts : Starts.values()) {
          Load load = new Load(depth, starts, stage.caller);
          bench.compare(
              new Comparison(depth + " in flight, " + starts, metered(peers, load, stage))
                  .targets(targets(load)));
        }
      }
    }
  }
}
