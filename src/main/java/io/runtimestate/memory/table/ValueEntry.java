package io.runtimestate.memory.table;

/** A text in the keyspace, in the order in which values were written. */
public final class ValueEntry extends DataEntry {
  private final Values values;
  private String text;
  ValueEntry older;
  ValueEntry newer;

  ValueEntry(Values values, String key, String text, long bytes) {
    super(key, bytes);
    this.values = values;
    this.text = text;
  }

  /** The stored text. */
  public String text() {
    return text;
  }

  void replace(String replacement, long size) {
    text = replacement;
    grow(size - bytes);
  }

  @Override
  public DataType type() {
    return DataType.VALUE;
  }

  @Override
  protected void removed() {
    values.unlink(this);
  }
}
