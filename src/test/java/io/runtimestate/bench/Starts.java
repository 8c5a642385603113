package io.runtimestate.bench;

/** Where the next operation of a slot is started. */
enum Starts {
  /** In the handler of the answer, on whatever thread the contender runs it. */
  REPLY("from reply handlers"),
  /** In a task of its own on the caller's event loop, as independent requests would. */
  TASK("from own tasks");

  private final String words;

  Starts(String words) {
    this.words = words;
  }

  @Override
  public String toString() {
    return words;
  }
}
