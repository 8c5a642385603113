package io.runtimestate.memory;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.data.ScoredMember;
import io.runtimestate.memory.table.Keyspace;
import io.runtimestate.memory.table.ScoreEntry;
import io.runtimestate.memory.table.Scored;
import io.runtimestate.operation.ScoreOperation.Count;
import io.runtimestate.operation.ScoreOperation.GetMany;
import io.runtimestate.operation.ScoreOperation.Increment;
import io.runtimestate.operation.ScoreOperation.PopLowest;
import io.runtimestate.operation.ScoreOperation.Range;
import io.runtimestate.operation.ScoreOperation.RecordSample;
import io.runtimestate.operation.ScoreOperation.Remove;
import io.runtimestate.operation.ScoreOperation.RemoveByRank;
import io.runtimestate.operation.ScoreOperation.RemoveByScore;
import io.runtimestate.operation.ScoreOperation.Set;
import io.runtimestate.operation.ScoreOperation.SetAll;
import io.runtimestate.operation.ScoreOperation.Size;
import io.runtimestate.operation.ScoreOperation.WindowStats;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Scores in memory. */
final class ScoreHandlers {
  private static final int KEYS_PER_STEP = 16;

  private final Keyspace keyspace;
  private final MemoryClock clock;

  ScoreHandlers(Store store) {
    this.keyspace = store.keyspace;
    this.clock = store.clock;
  }

  void register(Owner owner) {
    owner.on(Set.class, set -> put(set.key(), Map.of(set.member(), set.score())) > 0);
    owner.onChunked(SetAll.class, this::setAll);
    owner.on(Increment.class, this::increment);
    owner.onChunked(GetMany.class, this::getMany);
    owner.onChunked(Range.class, this::range);
    owner.on(Count.class, this::count);
    owner.on(Size.class, this::size);
    owner.on(Remove.class, this::remove);
    owner.on(RemoveByScore.class, this::removeByScore);
    owner.on(RemoveByRank.class, this::removeByRank);
    owner.on(PopLowest.class, this::popLowest);
    owner.onChunked(WindowStats.class, this::windowStats);
    owner.on(RecordSample.class, this::recordSample);
  }

  private Chunks<ScoredMember, Long> setAll(SetAll set) {
    long[] added = {0};
    return new Chunks<>(
        set.members(), piece -> added[0] += put(set.key(), lastOfEach(piece)), () -> added[0]);
  }

  private static Map<String, Double> lastOfEach(List<ScoredMember> members) {
    Map<String, Double> scores = new LinkedHashMap<>();
    members.forEach(member -> scores.put(member.member(), member.score().getAsDouble()));
    return scores;
  }

  /** Sets all or, if there is no room, none of them; returns how many are new. */
  private int put(String key, Map<String, Double> scores) {
    ScoreEntry existing = score(key);
    int added = 0;
    long bytes = existing == null ? ScoreEntry.bytesOfKey(key) : 0;
    for (String member : scores.keySet()) {
      if (existing == null || existing.get(member) == null) {
        added++;
        bytes += ScoreEntry.bytesOf(member);
      }
    }
    keyspace.budget().require(bytes);
    scores.forEach((existing == null ? create(key) : existing)::put);
    return added;
  }

  private ScoreEntry create(String key) {
    ScoreEntry score = new ScoreEntry(key);
    keyspace.add(score);
    return score;
  }

  private double increment(Increment increment) {
    ScoreEntry score = score(increment.key());
    Scored member = score == null ? null : score.get(increment.member());
    double sum = (member == null ? 0 : member.score()) + increment.delta() + 0.0;
    if (!Double.isFinite(sum)) {
      throw new RuntimeStateException(
          FailureCode.INVALID_INPUT, "delta must keep the score finite");
    }
    put(increment.key(), Map.of(increment.member(), sum));
    return sum;
  }

  private Chunks<String, List<Optional<Double>>> getMany(GetMany get) {
    List<Optional<Double>> scores = new ArrayList<>(get.members().size());
    return new Chunks<>(
        get.members(),
        members -> addScores(get.key(), members, scores),
        () -> Collections.unmodifiableList(scores));
  }

  private void addScores(String key, List<String> members, List<Optional<Double>> scores) {
    ScoreEntry score = score(key);
    for (String member : members) {
      Scored found = score == null ? null : score.get(member);
      scores.add(found == null ? Optional.empty() : Optional.of(found.score()));
    }
  }

  /** The members are copied in one step and made results in pieces. */
  private Chunks<Scored, List<ScoredMember>> range(Range range) {
    List<Scored> members = new ArrayList<>(members(range));
    if (range.reverse()) {
      Collections.reverse(members);
    }
    List<ScoredMember> results = new ArrayList<>(members.size());
    return new Chunks<>(
        members,
        piece -> piece.forEach(member -> results.add(member.result(range.withScores()))),
        () -> Collections.unmodifiableList(results));
  }

  private List<Scored> members(Range range) {
    ScoreEntry score = score(range.key());
    if (score == null) {
      return List.of();
    }
    long first = score.countBelow(range.min());
    long end = score.countUpTo(range.max());
    long length = Math.max(0, Math.max(0, end - first) - range.offset());
    long taken = Math.min(length, range.limit().orElse(Integer.MAX_VALUE));
    long from = range.reverse() ? end - range.offset() - taken : first + range.offset();
    return taken == 0 ? List.of() : score.ranks((int) from, (int) (from + taken));
  }

  private long count(Count count) {
    ScoreEntry score = score(count.key());
    return score == null
        ? 0
        : Math.max(0, score.countUpTo(count.max()) - score.countBelow(count.min()));
  }

  private long size(Size size) {
    ScoreEntry score = score(size.key());
    return score == null ? 0 : score.size();
  }

  private boolean remove(Remove remove) {
    ScoreEntry score = score(remove.key());
    Scored member = score == null ? null : score.get(remove.member());
    if (member != null && score.size() == 1) {
      keyspace.remove(score);
    } else if (member != null) {
      score.remove(member);
    }
    return member != null;
  }

  private long removeByScore(RemoveByScore remove) {
    ScoreEntry score = score(remove.key());
    return score == null ? 0 : removeRanks(score, 0, score.countUpTo(remove.max()));
  }

  private long removeByRank(RemoveByRank remove) {
    ScoreEntry score = score(remove.key());
    if (score == null) {
      return 0;
    }
    long size = score.size();
    long first = Math.max(0, remove.start() < 0 ? remove.start() + size : remove.start());
    long last = Math.min(size - 1, remove.stop() < 0 ? remove.stop() + size : remove.stop());
    return first > last ? 0 : removeRanks(score, (int) first, (int) last + 1);
  }

  private List<ScoredMember> popLowest(PopLowest pop) {
    ScoreEntry score = score(pop.key());
    if (score == null) {
      return List.of();
    }
    int count = Math.min(pop.count(), score.size());
    List<ScoredMember> popped =
        score.ranks(0, count).stream().map(member -> member.result(true)).toList();
    removeRanks(score, 0, count);
    return popped;
  }

  private int removeRanks(ScoreEntry score, int from, int to) {
    if (to - from == score.size()) {
      keyspace.remove(score);
    } else if (from < to) {
      score.removeRanks(from, to);
    }
    return to - from;
  }

  private Chunks<String, List<Optional<io.runtimestate.data.WindowStats>>> windowStats(
      WindowStats stats) {
    List<Optional<io.runtimestate.data.WindowStats>> answers = new ArrayList<>();
    return new Chunks<>(
        stats.keys(),
        KEYS_PER_STEP,
        keys -> keys.forEach(key -> answers.add(statsOf(key, stats.min()))),
        () -> Collections.unmodifiableList(answers));
  }

  private Optional<io.runtimestate.data.WindowStats> statsOf(String key, double min) {
    ScoreEntry score = score(key);
    if (score == null) {
      return Optional.of(io.runtimestate.data.WindowStats.EMPTY);
    }
    int first = score.countBelow(min);
    if (score.size() - first > WindowStats.MAX_MEMBERS) {
      return Optional.empty();
    }
    List<String> members = score.ranks(first, score.size()).stream().map(Scored::key).toList();
    return Optional.of(io.runtimestate.data.WindowStats.fromMembers(members));
  }

  private long recordSample(RecordSample sample) {
    ScoreEntry existing = score(sample.key());
    int maxSize = sample.maxSize().orElse(Integer.MAX_VALUE);
    int old =
        existing == null || sample.keepAbove().isEmpty()
            ? 0
            : existing.countUpTo(sample.keepAbove().getAsDouble());
    requireBytes(sample, existing, old, maxSize);
    ScoreEntry score = existing == null ? create(sample.key()) : existing;
    score.recordSample(sample.member(), sample.score(), old, maxSize);
    keyspace.schedule(score, clock.deadline(sample.ttl()));
    return score.size();
  }

  /** What the step removes is looked at only if what it adds alone would not fit. */
  private void requireBytes(RecordSample sample, ScoreEntry existing, int old, int maxSize) {
    long added = ScoreEntry.bytesOf(sample.member());
    if (existing == null) {
      keyspace.budget().require(ScoreEntry.bytesOfKey(sample.key()) + added);
    } else if (!keyspace.budget().fits(added)) {
      keyspace
          .budget()
          .require(existing.growthOfSample(sample.member(), sample.score(), old, maxSize));
    }
  }

  private ScoreEntry score(String key) {
    return keyspace.find(key, ScoreEntry.class);
  }
}
