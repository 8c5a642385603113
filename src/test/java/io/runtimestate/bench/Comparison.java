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
    P99,
    /** Processor time of one call, in nanoseconds; the contenders are sizes of one store. */
    COST;

    double of(Sample sample) {
      return switch (this) {
        case THROUGHPUT -> sample.perSecond();
        case P99 -> sample.p99();
        case COST -> sample.cpuNanosPerOperation();
      };
    }
  }

  final String name;
  final List<Contender> contenders;
  final Map<String, Target> targets = new HashMap<>();
  Metric metric = Metric.THROUGHPUT;
  String note = "";

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

  /** A word beside the name. */
  Comparison note(String words) {
    note = words;
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
