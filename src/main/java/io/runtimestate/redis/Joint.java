package io.runtimestate.redis;

import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A script call that may travel with others of its kind. What calls have in common is sent once.
 *
 * @param many the script that makes all of them, one after the other
 * @param keys of this call
 * @param terms its arguments, separated by spaces
 */
record Joint(Script many, List<String> keys, String terms) {
  /** The place of a key or of terms must fit in a byte. */
  static final int MOST_KEYS = 256;

  int textLength() {
    int length = terms.length();
    for (String key : keys) {
      length += key.length();
    }
    return length;
  }

  /** One command for all of them, of at most {@link #MOST_KEYS} keys together. */
  static RedisCommand joined(List<Joint> joints, boolean withText) {
    Map<String, Integer> keys = new LinkedHashMap<>();
    Map<String, Integer> terms = new LinkedHashMap<>();
    ByteArrayOutputStream plan = new ByteArrayOutputStream(4 * joints.size());
    for (Joint joint : joints) {
      plan.write(place(terms, joint.terms));
      for (String key : joint.keys) {
        plan.write(place(keys, key));
      }
    }
    RedisCommand call =
        RedisCommand.of(joints.get(0).many, keys.keySet())
            .arg(plan.toByteArray())
            .args(terms.keySet());
    return withText ? call.withText() : call;
  }

  private static int place(Map<String, Integer> places, String text) {
    Integer next = places.size();
    Integer known = places.putIfAbsent(text, next);
    return known == null ? next : known;
  }
}
