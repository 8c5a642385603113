package io.runtimestate.fault.run;

import io.runtimestate.support.Await;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/** Fills a set, and finds what it put there. */
final class SetLoad extends Load {
  private final Set<String> certain = new ConcurrentSkipListSet<>();
  private final Set<String> possible = new ConcurrentSkipListSet<>();
  private int made;

  SetLoad(Place place) {
    super(place);
  }

  @Override
  Future<?> turn() {
    List<String> members = List.of("m" + made++, "m" + made++);
    return call("set.addAll", () -> state.sets().addAll("set", members))
        .onSuccess(added -> certain.addAll(members))
        .onFailure(failure -> bookPossible(members, failure))
        .compose(added -> call("set.contains", () -> state.sets().contains("set", members.get(0))))
        .onSuccess(there -> require(there, "a member was lost"));
  }

  private void bookPossible(List<String> members, Throwable failure) {
    if (mayHaveBeenApplied(failure)) {
      possible.addAll(members);
    }
  }

  @Override
  void verify() {
    Set<String> there = new TreeSet<>(Await.get(state.sets().members("set")));
    require(there.containsAll(certain), "members were lost");
    there.removeAll(certain);
    require(possible.containsAll(there), "members came from nowhere");
  }
}
