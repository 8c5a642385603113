package io.runtimestate.data;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * The fields of an entry: an immutable map in byte order of the names. It is one array, because
 * streams hold many of them and read them in order far more often than they look one up.
 */
public final class Fields extends AbstractMap<String, String> {
  private final String[] texts; // name, value, name, value …

  private Fields(String[] texts) {
    this.texts = texts;
  }

  /** A copy of a map without nulls; a map that is one already is returned as it is. */
  public static Fields of(Map<String, String> fields) {
    if (fields instanceof Fields ready) {
      return ready;
    }
    String[] texts = new String[fields.size() * 2];
    int next = 0;
    for (Map.Entry<String, String> field : fields.entrySet()) {
      texts[next++] = field.getKey();
      texts[next++] = field.getValue();
    }
    return ofPairs(texts);
  }

  /** From names and values in turn, an array to be kept; of a name given twice the last counts. */
  public static Fields ofPairs(String[] texts) {
    return new Fields(isSorted(texts) ? texts : sorted(texts));
  }

  private static boolean isSorted(String[] texts) {
    for (int i = 2; i < texts.length; i += 2) {
      if (Utf8.compare(texts[i - 2], texts[i]) >= 0) {
        return false;
      }
    }
    return true;
  }

  private static String[] sorted(String[] texts) {
    Integer[] order = new Integer[texts.length / 2];
    Arrays.setAll(order, i -> i * 2);
    Arrays.sort(order, Comparator.comparing(at -> texts[at], Utf8.BYTE_ORDER)); // stable
    String[] sorted = new String[texts.length];
    int size = 0;
    for (int at : order) {
      boolean again = size > 0 && sorted[size - 2].equals(texts[at]);
      size = again ? size : size + 2;
      sorted[size - 2] = texts[at];
      sorted[size - 1] = texts[at + 1];
    }
    return Arrays.copyOf(sorted, size);
  }

  @Override
  public int size() {
    return texts.length / 2;
  }

  @Override
  public boolean containsKey(Object name) {
    return find(name) >= 0;
  }

  @Override
  public String get(Object name) {
    int at = find(name);
    return at < 0 ? null : texts[at + 1];
  }

  private int find(Object name) {
    int low = 0;
    int high = size() - 1;
    while (name instanceof String wanted && low <= high) {
      int middle = (low + high) >>> 1;
      int order = Utf8.compare(texts[middle * 2], wanted);
      if (order == 0) {
        return middle * 2;
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return -1;
  }

  /** Estimated bytes of all names and values. */
  public long bytes() {
    long bytes = 0;
    for (String text : texts) {
      bytes += Utf8.length(text);
    }
    return bytes;
  }

  @Override
  public Set<Map.Entry<String, String>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<String, String>> iterator() {
        return new Pairs();
      }

      @Override
      public int size() {
        return Fields.this.size();
      }
    };
  }

  private final class Pairs implements Iterator<Map.Entry<String, String>> {
    private int at;

    @Override
    public boolean hasNext() {
      return at < texts.length;
    }

    @Override
    public Map.Entry<String, String> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      at += 2;
      return Map.entry(texts[at - 2], texts[at - 1]);
    }
  }
}
