package io.runtimestate.operation;

import static io.runtimestate.operation.ArgumentRule.COUNT_HINT;
import static io.runtimestate.operation.ArgumentRule.DURATION;
import static io.runtimestate.operation.ArgumentRule.DURATION0;
import static io.runtimestate.operation.ArgumentRule.ENTRIES;
import static io.runtimestate.operation.ArgumentRule.FLAG;
import static io.runtimestate.operation.ArgumentRule.HELD_TOKEN;
import static io.runtimestate.operation.ArgumentRule.KEY;
import static io.runtimestate.operation.ArgumentRule.LEASE;
import static io.runtimestate.operation.ArgumentRule.LIMIT;
import static io.runtimestate.operation.ArgumentRule.LONG;
import static io.runtimestate.operation.ArgumentRule.NAME;
import static io.runtimestate.operation.ArgumentRule.PATTERN;
import static io.runtimestate.operation.ArgumentRule.RESOURCE;
import static io.runtimestate.operation.ArgumentRule.TEXT;
import static io.runtimestate.operation.ArgumentRule.TOKEN;

import io.runtimestate.data.KeyValue;
import io.runtimestate.data.LockLease;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The rule of every argument of every operation, as the contract states them. This is all that the
 * tests of bad input know about operations; a new operation is one line here.
 */
public final class ArgumentRules {
  private static final Map<String, Map<String, ArgumentRule>> ALL = new LinkedHashMap<>();

  static {
    LimitRules.tell(ArgumentRules::add);
    add("kv.set", "key", KEY, "value", TEXT, "ttl", DURATION0.optional(), "keepTtl", FLAG);
    add("kv.setIfAbsent", "key", KEY, "value", TEXT, "ttl", DURATION.optional());
    add("kv.get", "key", KEY);
    add("kv.getMany", "keys", KEY.list());
    add("kv.setMany", "entries", ENTRIES, "ttl", DURATION0.optional());
    add("kv.take", "key", KEY);
    add(
        "kv.compareAndSet",
        "key",
        KEY,
        "expected",
        TEXT.optional(),
        "value",
        TEXT,
        "ttl",
        DURATION.optional());
    add("kv.deleteIfEquals", "key", KEY, "expected", TEXT);
    add("kv.increment", "key", KEY, "delta", LONG, "ttl", DURATION.optional());
    add("key.delete", "key", KEY);
    add("key.deleteMany", "keys", KEY.list());
    add("key.exists", "key", KEY);
    add("key.ttl", "key", KEY);
    add("key.expire", "key", KEY, "ttl", DURATION0);
    add("key.persist", "key", KEY);
    add(
        "key.scan",
        "pattern",
        PATTERN,
        "cursor",
        TEXT.optional().usually(null),
        "countHint",
        COUNT_HINT);
    QueueRules.tell(ArgumentRules::add);
    add("lock.tryAcquire", "key", NAME, "owner", NAME, "ttl", DURATION, "token", TOKEN);
    add("lock.renew", "lease", LEASE, "ttl", DURATION);
    add("lock.release", "lease", LEASE);
    add("lock.holder", "key", NAME);
    add(
        "semaphore.tryAcquire",
        "gate",
        NAME,
        "resource",
        RESOURCE.optional(),
        "limit",
        LIMIT,
        "ttl",
        DURATION,
        "token",
        TOKEN);
    add(
        "semaphore.renew",
        "gate",
        NAME,
        "resource",
        RESOURCE.optional(),
        "token",
        HELD_TOKEN,
        "ttl",
        DURATION);
    add("semaphore.release", "gate", NAME, "resource", RESOURCE.optional(), "token", HELD_TOKEN);
    add("semaphore.snapshot", "gate", NAME, "resource", RESOURCE.optional(), "limit", LIMIT);
    add("semaphore.holders", "gate", NAME, "resource", RESOURCE.optional());
    add("system.info");
    add("system.time");
    add("system.health");
    add("system.statistics");
    add("system.diagnostics");
  }

  private ArgumentRules() {}

  private static void add(String operation, Object... namesAndRules) {
    Map<String, ArgumentRule> rules = new LinkedHashMap<>();
    for (int i = 0; i < namesAndRules.length; i += 2) {
      rules.put((String) namesAndRules[i], (ArgumentRule) namesAndRules[i + 1]);
    }
    ALL.put(operation, rules);
  }

  /** The operations that have rules here. */
  public static List<String> operations() {
    return List.copyOf(ALL.keySet());
  }

  /** The rules of an operation's arguments, by name. */
  public static Map<String, ArgumentRule> of(String operation) {
    return ALL.get(operation);
  }

  /** Usual arguments, keepTtl and ttl never contradicting each other. */
  public static Map<String, Object> usual(String operation) {
    Map<String, Object> arguments = new LinkedHashMap<>();
    of(operation).forEach((name, rule) -> arguments.put(name, rule.usual()));
    return arguments;
  }

  /** Usual arguments but for one, and for those that would contradict it. */
  public static Map<String, Object> usualBut(String operation, String name, Object value) {
    Map<String, Object> arguments = usual(operation);
    if (operation.endsWith(".tryAcquire") && (name.equals("owner") || name.equals("gate"))) {
      arguments.put("token", null); // it begins with the usual one
    }
    if (name.equals("keepTtl")) {
      arguments.put("ttl", null);
    }
    arguments.put(name, value);
    return arguments;
  }

  /**
   * Builds an operation.
   *
   * @param arguments as in {@link ArgumentRule}, without Optionals
   */
  public static Operation<?> build(String operation, Map<String, Object> arguments) {
    Class<?> type = OperationCatalog.find(operation).orElseThrow().recordClass();
    RecordComponent[] components = type.getRecordComponents();
    Object[] values =
        Arrays.stream(components)
            .map(component -> value(component, arguments.get(component.getName())))
            .toArray();
    return construct(type, components, values);
  }

  private static Object value(RecordComponent component, Object argument) {
    Class<?> type = component.getType();
    if (type == Optional.class) {
      return Optional.ofNullable(argument);
    }
    if (type == OptionalInt.class) {
      return argument == null ? OptionalInt.empty() : OptionalInt.of((Integer) argument);
    }
    if (type == OptionalLong.class) {
      return argument == null ? OptionalLong.empty() : OptionalLong.of((Long) argument);
    }
    if (type == OptionalDouble.class) {
      return argument == null ? OptionalDouble.empty() : OptionalDouble.of((Double) argument);
    }
    return argument;
  }

  private static Operation<?> construct(
      Class<?> type, RecordComponent[] components, Object[] values) {
    try {
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      return (Operation<?>) constructor.newInstance(values);
    } catch (InvocationTargetException thrown) {
      if (thrown.getCause() instanceof RuntimeException refused) {
        throw refused;
      }
      throw new AssertionError(thrown.getCause());
    } catch (ReflectiveOperationException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** The JSON of an argument. */
  public static Object toJson(Object value) {
    if (value instanceof Duration duration) {
      return millis(duration);
    }
    if (value instanceof KeyValue entry) {
      return new JsonObject().put("key", entry.key()).put("value", entry.value());
    }
    if (value instanceof LockLease lease) {
      return new JsonObject()
          .put("key", lease.key())
          .put("owner", lease.owner())
          .put("token", lease.token())
          .put("fencingToken", lease.fencingToken())
          .put("ttl", toJson(lease.ttl()));
    }
    if (value instanceof Map<?, ?> map) {
      JsonObject json = new JsonObject();
      map.forEach((name, text) -> json.put((String) name, text));
      return json;
    }
    if (value instanceof List<?> list) {
      JsonArray array = new JsonArray();
      list.forEach(element -> array.add(toJson(element)));
      return array;
    }
    return value instanceof Record part ? fields(part) : value;
  }

  /** Away from zero, so that what is just beyond a rule stays beyond it. */
  private static long millis(Duration duration) {
    long sign = duration.isNegative() ? -1 : 1;
    if (Math.abs(duration.getSeconds() / 1_000) > Integer.MAX_VALUE) {
      return sign * Long.MAX_VALUE;
    }
    boolean whole = duration.getNano() % 1_000_000 == 0;
    return whole ? duration.toMillis() : duration.toMillis() + sign;
  }

  private static JsonObject fields(Record part) {
    JsonObject json = new JsonObject();
    for (RecordComponent component : part.getClass().getRecordComponents()) {
      json.put(component.getName(), toJson(bare(Marked.read(component, part))));
    }
    return json;
  }

  private static Object bare(Object value) {
    if (value instanceof OptionalDouble number) {
      return number.isPresent() ? number.getAsDouble() : null;
    }
    return value instanceof Optional<?> optional ? optional.orElse(null) : value;
  }
}
