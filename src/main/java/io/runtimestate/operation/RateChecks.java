package io.runtimestate.operation;

import io.runtimestate.data.RateScope;
import java.util.List;

/** The argument rules that consuming and refunding share. */
final class RateChecks {
  private static final int MAX_SCOPES = 8;

  private RateChecks() {}

  static List<RateScope> scopes(
      Operation<?> operation, List<RateScope> scopes, long bucket, long cost) {
    List<RateScope> copy = Checks.list(operation, "scopes", scopes, MAX_SCOPES, RateChecks::scope);
    Checks.require(!copy.isEmpty(), operation, "scopes", "must have at least 1 element");
    Checks.within(operation, "bucket", bucket, 0, Checks.MAX_EXACT);
    Checks.within(operation, "cost", cost, 1, RateOperation.MAX_LIMIT);
    for (int i = 0; i < copy.size(); i++) {
      requireNewName(operation, copy, i);
      RateScope scope = copy.get(i);
      boolean fits = !scope.isLimited() || cost <= scope.limit();
      Checks.require(fits, operation, "cost", "must not be above a limit");
    }
    return copy;
  }

  private static RateScope scope(Operation<?> operation, Object at, RateScope scope) {
    Checks.name(operation, Checks.part(at, ".name"), scope.name());
    Checks.key(operation, Checks.part(at, ".key"), scope.key());
    Checks.within(operation, Checks.part(at, ".limit"), scope.limit(), 0, RateOperation.MAX_LIMIT);
    return scope;
  }

  private static void requireNewName(Operation<?> operation, List<RateScope> scopes, int at) {
    String name = scopes.get(at).name();
    for (int earlier = 0; earlier < at; earlier++) {
      if (scopes.get(earlier).name().equals(name)) {
        throw Checks.invalid(operation, "scopes[" + at + "].name", "must not repeat");
      }
    }
  }
}
