package io.runtimestate.bench;

import io.runtimestate.Sets;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.LongStream;

/** One set with so many members. */
final class SetScale implements ScaleFamily {
  private static final String KEY = "set";
  private static final int SOME = 10;

  @Override
  public List<ScaleOperation<?, ?>> fill(ScaleWorld world) throws Exception {
    Sets sets = world.state().sets();
    world.fill(member -> sets.add(KEY, member));
    return List.of(
        ScaleOperation.of(
            "set.contains", "log n", world::some, member -> sets.contains(KEY, member)),
        ScaleOperation.of(
                "set.add of a new member", "log n", world::other, member -> sets.add(KEY, member))
            .undo((member, done) -> sets.remove(KEY, member)),
        ScaleOperation.prepared(
            "set.remove", "log n", n -> added(world, n), member -> sets.remove(KEY, member)),
        ScaleOperation.of(
                "set.addAll of 10",
                "k log n",
                n -> others(world, n),
                members -> sets.addAll(KEY, members))
            .undo((members, done) -> sets.removeAll(KEY, members)),
        ScaleOperation.prepared(
            "set.removeAll of 10",
            "k log n",
            n -> addedAll(world, n),
            members -> sets.removeAll(KEY, members)),
        ScaleOperation.of("set.size", "1", n -> KEY, sets::size),
        ScaleOperation.of("set.members", "n", n -> KEY, sets::members).oneAtATime());
  }

  private static Future<String> added(ScaleWorld world, long number) {
    String member = world.other(number);
    return world.state().sets().add(KEY, member).map(member);
  }

  private static Future<List<String>> addedAll(ScaleWorld world, long number) {
    List<String> members = others(world, number);
    return world.state().sets().addAll(KEY, members).map(members);
  }

  private static List<String> others(ScaleWorld world, long number) {
    return LongStream.range(0, SOME)
        .mapToObj(i -> world.other(number * SOME + i) + "," + number % ScaleContender.BATCH)
        .toList();
  }
}
