package io.runtimestate.spi;

import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import java.util.List;

/**
 * A handler for each operation, found by the operation's class.
 *
 * @param <H> what handles an operation
 */
public final class OperationTable<H> {
  private final Object[] handlers = new Object[OperationCatalog.all().size()];

  /** An empty table. */
  public OperationTable() {}

  /** Registers the handler of an operation; a second one is a defect. */
  public void put(Class<? extends Operation<?>> operation, H handler) {
    OperationType type = OperationCatalog.typeOf(operation);
    if (handlers[type.ordinal()] != null) {
      throw new IllegalStateException(type.name() + " has two handlers");
    }
    handlers[type.ordinal()] = handler;
  }

  /** The handler of an operation. */
  @SuppressWarnings("unchecked") // only put() writes
  public H of(Operation<?> operation) {
    return (H) handlers[OperationCatalog.typeOf(operation).ordinal()];
  }

  /** The operations that have no handler; empty in a complete backend. */
  public List<String> missing() {
    return OperationCatalog.all().stream()
        .filter(type -> handlers[type.ordinal()] == null)
        .map(OperationType::name)
        .toList();
  }
}
