package io.runtimestate.operation;

import io.runtimestate.data.RateScope;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The argument rules that consuming and refunding share. */
final class RateChecks {
  private static final int MAX_SCOPES = 8;

  private RateChecks() {}

  static List<RateScope> scopes(
      Operation<?> operation, List<RateScope> scopes, long bucket, long cost) {
    Set<String> names = new HashSet<>();
    List<RateScope> copy =
        Checks.list(
            operation,
            "scopes",
            scopes,
            MAX_SCOPES,
            (op, at, scope) -> scope(op, at, scope, names));
    Checks.require(!copy.isEmpty(), operation, "scopes", "must have at least 1 element");
    Checks.within(operation, "bucket", bucket, 0, Checks.MAX_EXACT);
    Checks.within(operation, "cost", cost, 1, RateOperation.MAX_LIMIT);
    Checks.require(
        copy.stream().noneMatch(scope -> scope.isLimited() && cost > scope.limit()),
        operation,
        "cost",
        "must not be above a limit");
    return copy;
  }

  private static RateScope scope(
      Operation<?> operation, Object at, RateScope scope, Set<String> names) {
    Checks.name(operation, Checks.part(at, ".name"), scope.name());
    Checks.key(operation, Checks.part(at, ".key"), scope.key());
    Checks.within(operation, Checks.part(at, ".limit"), scope.limit(), 0, RateOperation.MAX_LIMIT);
    Checks.require(names.add(scope.name()), operation, Checks.part(at, ".name"), "must not repeat");
    return scope;
  }
}
