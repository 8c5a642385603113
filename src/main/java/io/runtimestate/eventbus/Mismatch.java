package io.runtimestate.eventbus;

/**
 * JSON that is not of the expected form. The path to the place is put together while the failure
 * passes outwards, so that JSON in order pays nothing for it. Neither part ever holds a value.
 */
final class Mismatch extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String path;

  Mismatch(String rule) {
    this("", rule);
  }

  private Mismatch(String path, String rule) {
    super(rule, null, false, false);
    this.path = path;
  }

  /** The same, seen from the object or array around it. */
  Mismatch in(String step) {
    boolean joined = path.isEmpty() || path.startsWith("[");
    return new Mismatch(step + (joined ? "" : ".") + path, getMessage());
  }

  /** What is wrong where; {@code whole} names the outermost JSON. */
  String text(String whole) {
    return (path.isEmpty() ? whole : path) + " " + getMessage();
  }
}
