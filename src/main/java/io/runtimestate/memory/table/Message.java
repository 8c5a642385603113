package io.runtimestate.memory.table;

import io.runtimestate.data.EntryId;
import io.runtimestate.data.Fields;

/** An entry of a stream. */
final class Message implements IdList.Element {
  /** Estimated bytes beside the texts: object, id, map, its places in lists. */
  static final int OVERHEAD = 128;

  private final EntryId id;
  final Fields fields;
  final long bytes;

  Message(EntryId id, Fields fields) {
    this.id = id;
    this.fields = fields;
    this.bytes = OVERHEAD + fields.bytes();
  }

  @Override
  public EntryId id() {
    return id;
  }
}
