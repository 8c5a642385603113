package io.runtimestate.memory.table;

/** A text in the keyspace, in the order in which values were written. */
public final class ValueEntry extends DataEntry {
  private final Values values;
  private String text;
  private int length; // of the text in UTF-8
  ValueEntry older;
  ValueEntry newer;

  ValueEntry(Values values, String key, String text, int length, long bytes) {
    super(key, bytes);
    this.values = values;
    this.text = text;
    this.length = length;
  }

  /** The stored text. */
  public String text() {
    return text;
  }

  int length() {
    return length;
  }

  void replace(String replacement, int replacementLength) {
    grow(replacementLength - length);
    text = replacement;
    length = replacementLength;
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
