package io.runtimestate.operation;

import io.runtimestate.data.RateScope;
import java.util.List;
import java.util.stream.IntStream;

/** The argument rules that consuming and refunding share. */
final class RateChecks {
  private static final int MAX_SCOPES = 8;
  private static final List<Names> NAMES =
      IntStream.range(0, MAX_SCOPES).mapToObj(i -> Names.of("scopes[" + i + "]")).toList();

  private RateChecks() {}

  static List<RateScope> scopes(
      Operation<?> operation, List<RateScope> scopes, long bucket, long cost) {
    List<RateScope> copy = Checks.list(operation, "scopes", scopes, MAX_SCOPES, (o, at, it) -> it);
    Checks.require(!copy.isEmpty(), operation, "scopes", "must have at least 1 element");
    Checks.within(operation, "bucket", bucket, 0, Checks.MAX_EXACT);
    Checks.within(operation, "cost", cost, 1, RateOperation.MAX_LIMIT);
    for (int i = 0; i < copy.size(); i++) {
      RateScope scope = copy.get(i);
      scope(operation, NAMES.get(i), scope);
      requireNewName(operation, copy, i);
      boolean fits = !scope.isLimited() || cost <= scope.limit();
      Checks.require(fits, operation, "cost", "must not be above a limit");
    }
    return copy;
  }

  private static void scope(Operation<?> operation, Names names, RateScope scope) {
    Checks.name(operation, names.name, scope.name());
    Checks.key(operation, names.key, scope.key());
    Checks.within(operation, names.limit, scope.limit(), 0, RateOperation.MAX_LIMIT);
  }

  private static void requireNewName(Operation<?> operation, List<RateScope> scopes, int at) {
    String name = scopes.get(at).name();
    for (int earlier = 0; earlier < at; earlier++) {
      if (scopes.get(earlier).name().equals(name)) {
        throw Checks.invalid(operation, NAMES.get(at).name, "must not repeat");
      }
    }
  }

  /** What messages call the parts of a scope; there are few, and every check names all of them. */
  private record Names(String name, String key, String limit) {
    static Names of(String scope) {
      return new Names(scope + ".name", scope + ".key", scope + ".limit");
    }
  }
}
