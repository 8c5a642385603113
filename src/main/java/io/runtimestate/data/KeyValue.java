package io.runtimestate.data;

/** A key and the text to store under it. */
public record KeyValue(String key, String value) {
  @Override
  public String toString() {
    return "KeyValue";
  }
}
