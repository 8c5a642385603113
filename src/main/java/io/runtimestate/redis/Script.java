package io.runtimestate.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A Lua script: a resource file that begins with a comment naming its KEYS, ARGV and reply.
 *
 * <p>What every script keeps to: all checks come before the first write; commands that can fail are
 * called with {@code pcall} and their error is returned unchanged; the first write is one the
 * server refuses when its memory is full, unless the operation frees or renews; every key is
 * declared; integers leave as text.
 */
final class Script {
  private final String text;
  private final String sha;
  private final byte[] shaBytes;

  private Script(String text) {
    this.text = text;
    this.sha = sha1(text);
    this.shaBytes = sha.getBytes(StandardCharsets.US_ASCII);
  }

  /** Reads {@code lua/<name>.lua}; of several names the last is the script, behind what it uses. */
  static Script load(String... names) {
    String text =
        Arrays.stream(names)
            .map(name -> read("lua/" + name + ".lua"))
            .collect(Collectors.joining());
    return new Script(text);
  }

  String text() {
    return text;
  }

  /** Its hash as a word of a command; not to be written to. */
  byte[] shaBytes() {
    return shaBytes;
  }

  /** A call without arguments yet. */
  RedisCommand on(String... keys) {
    return on(List.of(keys));
  }

  /** A call without arguments yet. */
  RedisCommand on(List<String> keys) {
    return RedisCommand.of(this, keys);
  }

  /**
   * A call that may travel with others of the same kind.
   *
   * @param many the script that makes all of them one after the other
   * @param terms the arguments
   */
  RedisCommand jointly(Script many, List<String> keys, long... terms) {
    return RedisCommand.jointly(this, new Joint(many, keys, terms));
  }

  private static String read(String resource) {
    try (InputStream in = Script.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String toString() {
    return "Script[" + sha + "]";
  }
}
