package io.runtimestate.model;

import io.runtimestate.operation.SetOperation;
import java.util.List;

/** Random steps on sets. */
final class Sets {
  static final List<Family> ALL =
      List.of(
          Sets::add,
          Sets::add,
          Sets::addAll,
          Sets::remove,
          Sets::removeAll,
          Sets::contains,
          Sets::members,
          Sets::size);

  private Sets() {}

  private static Step add(Vocabulary words) {
    String key = words.key();
    String member = words.member();
    return Step.of(space -> new SetOperation.Add(space + key, member));
  }

  private static Step addAll(Vocabulary words) {
    String key = words.key();
    List<String> members = words.members();
    return Step.of(space -> new SetOperation.AddAll(space + key, members));
  }

  private static Step remove(Vocabulary words) {
    String key = words.key();
    String member = words.member();
    return Step.of(space -> new SetOperation.Remove(space + key, member));
  }

  private static Step removeAll(Vocabulary words) {
    String key = words.key();
    List<String> members = words.members();
    return Step.of(space -> new SetOperation.RemoveAll(space + key, members));
  }

  private static Step contains(Vocabulary words) {
    String key = words.key();
    String member = words.member();
    return Step.of(space -> new SetOperation.Contains(space + key, member));
  }

  private static Step members(Vocabulary words) {
    String key = words.key();
    return Step.of(space -> new SetOperation.Members(space + key));
  }

  private static Step size(Vocabulary words) {
    String key = words.key();
    return Step.of(space -> new SetOperation.Size(space + key));
  }
}
