package io.runtimestate.eventbus;

import java.util.function.UnaryOperator;

/** How the values of one Java type look in JSON. */
interface JsonForm {
  /** The JSON of a value; null for what is absent. The JSON is new and nobody else's. */
  Object write(Object value);

  /**
   * The value of JSON as it comes from a {@code JsonObject}, in which null and a missing field are
   * the same.
   *
   * @throws Mismatch if the JSON is not of this form
   */
  Object read(Object json);

  static JsonForm of(UnaryOperator<Object> write, UnaryOperator<Object> read) {
    return new JsonForm() {
      @Override
      public Object write(Object value) {
        return write.apply(value);
      }

      @Override
      public Object read(Object json) {
        return read.apply(json);
      }
    };
  }
}
