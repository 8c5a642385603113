package io.runtimestate.redis;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A script call that may travel with others of its kind. What calls have in common is sent once.
 *
 * @param many the script that makes all of them, one after the other
 * @param keys of this call
 * @param terms its arguments; not to be written to
 */
record Joint(Script many, List<String> keys, long[] terms) {
  /** The place of a key or of terms must fit in a byte. */
  static final int MOST_KEYS = 256;

  private static final int USUAL_DIGITS = 8;

  /** About how long. */
  int textLength() {
    int length = terms.length * USUAL_DIGITS;
    for (int i = 0; i < keys.size(); i++) {
      length += keys.get(i).length();
    }
    return length;
  }

  /**
   * The words of this call for itself, as the client takes them.
   *
   * @param script its hash or its text
   */
  Object[] words(Object script) {
    Object[] words = new Object[2 + keys.size() + terms.length];
    words[0] = script;
    words[1] = RedisCommand.decimal(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      words[2 + i] = keys.get(i);
    }
    for (int i = 0; i < terms.length; i++) {
      words[2 + keys.size() + i] = RedisCommand.decimal(terms[i]);
    }
    return words;
  }

  private String termsText() {
    StringBuilder text = new StringBuilder(terms.length * USUAL_DIGITS);
    for (int i = 0; i < terms.length; i++) {
      text.append(i == 0 ? "" : " ").append(terms[i]);
    }
    return text.toString();
  }

  /** One command for all of them, of at most {@link #MOST_KEYS} keys together. */
  static RedisCommand joined(List<Joint> joints, boolean withText) {
    Map<String, Integer> keys = new LinkedHashMap<>();
    Map<String, Integer> terms = new LinkedHashMap<>();
    ByteArrayOutputStream plan = new ByteArrayOutputStream(4 * joints.size());
    Joint before = null;
    int termsPlace = 0;
    for (Joint joint : joints) {
      if (before == null || !Arrays.equals(before.terms, joint.terms)) {
        termsPlace = place(terms, joint.termsText());
      }
      before = joint;
      plan.write(termsPlace);
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
