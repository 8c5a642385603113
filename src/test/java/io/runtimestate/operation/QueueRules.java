package io.runtimestate.operation;

import static io.runtimestate.operation.ArgumentRule.COUNT;
import static io.runtimestate.operation.ArgumentRule.DURATION;
import static io.runtimestate.operation.ArgumentRule.FLAG;
import static io.runtimestate.operation.ArgumentRule.NAME;
import static io.runtimestate.operation.ArgumentRule.TEXT;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The rules of the arguments of queues. */
final class QueueRules {
  private static final int MAX_FIELDS = 3_900;
  private static final int MAX_ENTRIES = 1_000;
  private static final Duration LONGEST_IDLE = Duration.ofDays(3_650);
  private static final String MAX = "18446744073709551615";
  private static final List<Object> NO_TEXT = List.of(1, 1.5, true, List.of("x"));
  private static final List<Object> NO_INTEGER = List.of("x", 1.5, true, "1.0", 1e30);
  private static final List<Object> NO_ID =
      List.of(
          "",
          "1-",
          "-1",
          "-1-0",
          "+1-0",
          "01-0",
          "1-00",
          "1-0x",
          "1-0-0",
          " 1-0",
          "1-0 ",
          "abc",
          "-",
          "+",
          "18446744073709551616-0",
          "0-18446744073709551616",
          "\u0661-0");

  /** The id of an entry. */
  private static final ArgumentRule ID =
      new ArgumentRule(
          "1-0",
          List.of("0-0", MAX + "-" + MAX, "9007199254740993-1"),
          plus(NO_ID, null, "1", "$"),
          NO_TEXT);

  /** Where to begin; the beginning if it is left out. */
  private static final ArgumentRule START =
      new ArgumentRule(
          "0-0", plus(List.of("0", "5", "1-2", MAX), (Object) null), plus(NO_ID, "$"), NO_TEXT);

  /** The same, or the end. */
  private static final ArgumentRule GROUP_START =
      new ArgumentRule("0-0", plus(START.good(), "$"), NO_ID, NO_TEXT);

  /** How many entries a stream keeps. */
  private static final ArgumentRule MAX_LEN =
      new ArgumentRule(
          5L, List.of(0L, 1L, Long.MAX_VALUE), List.of(-1L, Long.MIN_VALUE), NO_INTEGER);

  private static final ArgumentRule READ_COUNT =
      new ArgumentRule(
          1,
          List.of(0, 1, 10_000),
          List.of(-1, 10_001, Integer.MIN_VALUE),
          List.of("x", 1.5, true));

  private static final ArgumentRule MIN_IDLE =
      new ArgumentRule(
          Duration.ofMinutes(10),
          List.of(Duration.ofNanos(1), LONGEST_IDLE),
          plus(DURATION.bad(), LONGEST_IDLE.plusNanos(1)),
          DURATION.badJson());

  private static final ArgumentRule IDS = TEXT.usually("1-0").list();
  private static final ArgumentRule ANYBODY = NAME.optional();

  private QueueRules() {}

  static void tell(LimitRules.Listener all) {
    streams(all);
    pending(all);
    groups(all);
  }

  private static void streams(LimitRules.Listener all) {
    all.add("queue.ensureGroup", "stream", NAME, "group", NAME, "start", GROUP_START);
    all.add("queue.append", "stream", NAME, "fields", fields(), "maxLen", MAX_LEN.optional());
    all.add("queue.appendAll", "stream", NAME, "entries", entries(), "maxLen", MAX_LEN.optional());
    all.add(
        "queue.read",
        "stream",
        NAME,
        "group",
        NAME,
        "consumer",
        NAME,
        "count",
        READ_COUNT,
        "block",
        DURATION.optional());
  }

  private static void pending(LimitRules.Listener all) {
    all.add(
        "queue.claim",
        "stream",
        NAME,
        "group",
        NAME,
        "consumer",
        NAME,
        "minIdle",
        MIN_IDLE,
        "start",
        START,
        "count",
        COUNT);
    all.add("queue.ack", "stream", NAME, "group", NAME, "ids", IDS, "consumer", ANYBODY);
    all.add("queue.delete", "stream", NAME, "ids", IDS);
    all.add("queue.ackAndDelete", "stream", NAME, "group", NAME, "ids", IDS, "consumer", ANYBODY);
    all.add(
        "queue.nack",
        "stream",
        NAME,
        "group",
        NAME,
        "consumer",
        NAME,
        "ids",
        IDS,
        "countDelivery",
        FLAG);
    all.add("queue.extend", "stream", NAME, "group", NAME, "consumer", NAME, "ids", IDS);
    all.add(
        "queue.transfer",
        "source",
        NAME,
        "group",
        NAME,
        "id",
        ID,
        "destination",
        NAME.usually("d"),
        "fields",
        fields(),
        "maxLen",
        MAX_LEN.optional(),
        "consumer",
        ANYBODY);
    all.add(
        "queue.pending",
        "stream",
        NAME,
        "group",
        NAME,
        "start",
        START,
        "count",
        COUNT,
        "consumer",
        ANYBODY);
  }

  private static void groups(LimitRules.Listener all) {
    all.add(
        "queue.removeConsumer",
        "stream",
        NAME,
        "group",
        NAME,
        "consumer",
        NAME,
        "discardPending",
        FLAG);
    all.add("queue.removeGroup", "stream", NAME, "group", NAME);
    all.add("queue.groups", "stream", NAME);
    all.add("queue.trim", "stream", NAME, "maxLen", MAX_LEN);
    all.add("queue.stats", "stream", NAME, "group", NAME.optional());
  }

  private static ArgumentRule fields() {
    List<Object> bad = new ArrayList<>(Arrays.asList(null, Map.of()));
    TEXT.bad().forEach(text -> bad.add(one("f", text)));
    TEXT.bad().stream().filter(name -> name != null).forEach(name -> bad.add(one(name, "v")));
    List<Object> good = new ArrayList<>(List.of(many(MAX_FIELDS), Map.of("", "")));
    TEXT.good().forEach(text -> good.add(one(text, text)));
    return new ArgumentRule(
        Map.of("f", "v"), good, bad, List.of("x", 1, true, List.of("f", "v"), one("f", 1)));
  }

  private static Map<Object, Object> one(Object name, Object value) {
    Map<Object, Object> map = new HashMap<>();
    map.put(name, value);
    return map;
  }

  private static Map<String, String> many(int count) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < count; i++) {
      map.put("f" + i, "v");
    }
    return map;
  }

  private static ArgumentRule entries() {
    ArgumentRule fields = fields();
    List<Object> bad = new ArrayList<>();
    bad.add(null);
    bad.add(Collections.nCopies(MAX_ENTRIES + 1, fields.usual()));
    fields.bad().forEach(entry -> bad.add(Arrays.asList(fields.usual(), entry)));
    List<Object> json = new ArrayList<>(List.of("x", 1, true));
    fields.badJson().forEach(entry -> json.add(List.of(fields.usual(), entry)));
    List<Object> good =
        List.of(List.of(), Collections.nCopies(MAX_ENTRIES, fields.usual()), fields.good());
    return new ArgumentRule(List.of(fields.usual()), good, bad, json);
  }

  private static List<Object> plus(List<Object> some, Object... more) {
    List<Object> all = Stream.concat(some.stream(), Arrays.stream(more)).toList();
    return Collections.unmodifiableList(new ArrayList<>(all));
  }
}
