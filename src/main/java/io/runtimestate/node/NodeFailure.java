package io.runtimestate.node;

import io.runtimestate.data.RuntimeStateException;

/** Something the user of a command can act on, told in one line. */
final class NodeFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NodeFailure(String message) {
    super(message, null, false, false);
  }

  /** Throws unless something holds. */
  static void unless(boolean holds, String message) {
    if (!holds) {
      throw new NodeFailure(message);
    }
  }

  /** One line about any failure. */
  static String text(Throwable failure) {
    if (failure == null) {
      return "timed out";
    }
    if (StateClient.answered(failure) instanceof RuntimeStateException known) {
      return known.getMessage() + " (" + known.code() + ")";
    }
    return failure instanceof NodeFailure ? failure.getMessage() : failure.toString();
  }
}
