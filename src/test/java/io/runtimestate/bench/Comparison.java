package io.runtimestate.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One row group of the report: the same work done by several contenders, of which the first is the
 * one whose ratio to each of the others is told.
 */
final class Comparison {
  /** What is compared. */
  enum Metric {
    THROUGHPUT,
    P99;

    double of(Sample sample) {
      return this == P99 ? sample.p99() : sample.perSecond();
    }
  }

  final String name;
  final List<Contender> contenders;
  final Map<String, Target> targets = new HashMap<>();
  Metric metric = Metric.THROUGHPUT;

  Comparison(String name, List<Contender> contenders) {
    this.name = name;
    this.contenders = contenders;
  }

  static Comparison under(Load load, String name, List<Peer> peers) {
    return new Comparison(name, peers.stream().map(peer -> peer.under(load)).toList());
  }

  Comparison by(Metric other) {
    metric = other;
    return this;
  }

  /** The ratio of the first contender to that one should be so. */
  Comparison target(String contender, Target target) {
    targets.put(contender, target);
    return this;
  }

  Comparison targets(Map<String, Target> some) {
    targets.putAll(some);
    return this;
  }
}
