package io.runtimestate.data;

/**
 * One limit of a rate check.
 *
 * @param name what a refusal calls this scope
 * @param key whose counter it is, whatever the name
 * @param limit how much one bucket admits, 0 to 4 294 967 295; 0 means not limited
 */
public record RateScope(String name, String key, long limit) {
  /** Whether this scope limits anything. */
  public boolean isLimited() {
    return limit != 0;
  }

  @Override
  public String toString() {
    return "RateScope";
  }
}
