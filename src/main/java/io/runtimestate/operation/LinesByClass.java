package io.runtimestate.operation;

import java.util.List;

/**
 * Finds the line of a record class. Every call asks for it more than once, and this is two reads of
 * memory, less than half of what a map or a {@link ClassValue} costs.
 */
final class LinesByClass {
  private final OperationType[] slots; // found by identity hash, then by going on to the next slot

  LinesByClass(List<OperationType> lines) {
    slots = new OperationType[Integer.highestOneBit(lines.size()) * 8];
    lines.forEach(this::add);
  }

  OperationType get(Class<?> recordClass) {
    int slot = first(recordClass);
    while (slots[slot] != null) {
      if (slots[slot].recordClass() == recordClass) {
        return slots[slot];
      }
      slot = next(slot);
    }
    throw new IllegalStateException(recordClass + " is not catalogued");
  }

  private void add(OperationType line) {
    int slot = first(line.recordClass());
    while (slots[slot] != null) {
      slot = next(slot);
    }
    slots[slot] = line;
  }

  private int first(Class<?> recordClass) {
    return recordClass.hashCode() & slots.length - 1;
  }

  private int next(int slot) {
    return slot + 1 & slots.length - 1;
  }
}
