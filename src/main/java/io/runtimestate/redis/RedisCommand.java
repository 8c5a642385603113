package io.runtimestate.redis;

import io.runtimestate.spi.HashSlots;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One command being built: its words and their size. Numbers are sent as their decimal text, since
 * the client's own encoding of large ones is wrong.
 */
final class RedisCommand {
  private static final int WORD_OVERHEAD = 16;
  private static final int FEW_WORDS = 4;
  private static final int HEAD_WORDS = 3; // of a script call: hash, number of keys, arguments

  private static final byte[] PX = {'P', 'X'};

  private final Command command;
  private final Script script;
  private byte[][] words;
  private int count;
  private int size = 2 * WORD_OVERHEAD;
  private int shard = FirstKey.NONE;
  private Joint joint;

  private RedisCommand(Command command, Script script, int expectedWords) {
    this.command = command;
    this.script = script;
    this.words = new byte[expectedWords][];
  }

  /** A command without words yet. */
  static RedisCommand of(Command command) {
    return of(command, FEW_WORDS);
  }

  /** The same; nothing is copied if it gets exactly so many words. */
  static RedisCommand of(Command command, int words) {
    return new RedisCommand(command, null, words);
  }

  /** A call of a script by its hash. */
  static RedisCommand of(Script script, Collection<String> keys) {
    int words = HEAD_WORDS + 2 * keys.size(); // most scripts take an argument for each key
    return new RedisCommand(Command.EVALSHA, script, words)
        .arg(script.shaBytes())
        .arg(keys.size())
        .args(keys);
  }

  /** A call that may travel with others; it gets words of its own only if it does not. */
  static RedisCommand jointly(Script script, Joint joint) {
    RedisCommand call = new RedisCommand(Command.EVALSHA, script, 0);
    call.joint = joint;
    call.size += joint.textLength() + (joint.keys().size() + HEAD_WORDS) * WORD_OVERHEAD;
    return call;
  }

  RedisCommand arg(String word) {
    return arg(word.getBytes(StandardCharsets.UTF_8));
  }

  RedisCommand arg(long word) {
    return arg(decimal(word));
  }

  /** The decimal text of a number. */
  static byte[] decimal(long number) {
    return number < 0 ? Long.toString(number).getBytes(StandardCharsets.US_ASCII) : digits(number);
  }

  private static byte[] digits(long number) {
    int length = 1;
    for (long rest = number; rest > 9; rest /= 10) {
      length++;
    }
    byte[] digits = new byte[length];
    long rest = number;
    for (int i = length - 1; i >= 0; i--) {
      digits[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return digits;
  }

  /** A double that may be infinite; its text is read back as exactly this double. */
  RedisCommand arg(double word) {
    return arg(Double.isInfinite(word) ? (word > 0 ? "+inf" : "-inf") : Double.toString(word));
  }

  RedisCommand args(Collection<String> more) {
    room(more.size());
    more.forEach(this::arg);
    return this;
  }

  /** So many words are going to follow. */
  RedisCommand room(int more) {
    if (words.length < count + more) {
      words = Arrays.copyOf(words, count + more);
    }
    return this;
  }

  /** A number of milliseconds. */
  RedisCommand arg(Duration duration) {
    return arg(duration.toMillis());
  }

  /** {@code PX} and the milliseconds, if there is an expiry. */
  RedisCommand px(Optional<Duration> ttl) {
    return ttl.isPresent() ? arg(PX).arg(ttl.get()) : this;
  }

  RedisCommand arg(byte[] word) {
    if (count == words.length) {
      words = Arrays.copyOf(words, Math.max(FEW_WORDS, 2 * count));
    }
    words[count++] = word;
    size += word.length + WORD_OVERHEAD;
    return this;
  }

  /** About how many bytes go to the server. */
  int size() {
    return size;
  }

  /** Its first word. */
  String name() {
    return command.toString().toUpperCase(Locale.ROOT);
  }

  /** Sends it, having no key, to the server that owns this slot. */
  RedisCommand to(int slot) {
    shard = slot;
    return this;
  }

  /** How it travels with others; null if it cannot. */
  Joint joint() {
    return joint;
  }

  /** The hash slot that decides the server; negative if any server will do. */
  int slot() {
    return joint == null ? slotOfWords() : HashSlots.of(joint.keys().get(0));
  }

  private int slotOfWords() {
    int key = FirstKey.of(command, asList());
    return key == FirstKey.NONE
        ? shard
        : HashSlots.of(new String(words[key], StandardCharsets.UTF_8));
  }

  /** Whether it calls a script by its hash. */
  boolean isScript() {
    return command == Command.EVALSHA;
  }

  /** The same script call with the full text, which the server loads and runs in one step. */
  RedisCommand withText() {
    RedisCommand eval = new RedisCommand(Command.EVAL, script, words.length).arg(script.text());
    eval.joint = joint;
    if (joint == null) {
      asList().stream().skip(1).forEach(eval::arg);
    }
    return eval;
  }

  Request request() {
    return Request.cmd(command, joint == null ? own() : alone());
  }

  private Object[] own() {
    return count == words.length ? words : Arrays.copyOf(words, count);
  }

  private List<byte[]> asList() {
    return Arrays.asList(words).subList(0, count);
  }

  /** The same call for itself. */
  private Object[] alone() {
    return joint.words(isScript() ? script.shaBytes() : script.text());
  }
}
