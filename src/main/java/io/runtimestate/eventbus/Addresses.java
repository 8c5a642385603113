package io.runtimestate.eventbus;

import io.runtimestate.data.Blank;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.OperationCatalog;

/** Where the operations are on the bus. */
final class Addresses {
  private Addresses() {}

  /**
   * The address of every operation, by its ordinal.
   *
   * @throws RuntimeStateException INVALID_CONFIGURATION if the base is none
   */
  static String[] under(String base) {
    require(base != null && !Blank.isBlank(base), "must not be blank");
    require(!base.startsWith(".") && !base.endsWith("."), "must not begin or end with a dot");
    return OperationCatalog.all().stream()
        .map(type -> base + "." + type.name())
        .toArray(String[]::new);
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new RuntimeStateException(FailureCode.INVALID_CONFIGURATION, "eventBus.base " + rule);
    }
  }
}
