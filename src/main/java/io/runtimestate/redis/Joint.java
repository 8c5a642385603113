package io.runtimestate.redis;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

  private static final byte SPACE = ' ';

  int textLength() {
    int length = terms.length();
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
    byte[] term = terms.getBytes(StandardCharsets.US_ASCII);
    Object[] words = new Object[2 + keys.size() + countTerms(term)];
    words[0] = script;
    words[1] = keys.size();
    for (int i = 0; i < keys.size(); i++) {
      words[2 + i] = keys.get(i);
    }
    split(term, words, 2 + keys.size());
    return words;
  }

  private static int countTerms(byte[] terms) {
    int count = 1;
    for (byte each : terms) {
      count += each == SPACE ? 1 : 0;
    }
    return count;
  }

  private static void split(byte[] terms, Object[] words, int first) {
    int begin = 0;
    for (int word = first; word < words.length; word++) {
      int end = begin;
      while (end < terms.length && terms[end] != SPACE) {
        end++;
      }
      words[word] = Arrays.copyOfRange(terms, begin, end);
      begin = end + 1;
    }
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
