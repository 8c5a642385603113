package io.runtimestate.node;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The keys of one run. They begin with something nobody else uses, so that runs on one Redis do not
 * see each other, and are deleted at the end; a run that is killed leaves nothing for longer than a
 * day. Usage windows alone cannot be deleted: they end by themselves, soon after they are used
 * last.
 */
final class ReplayKeys implements AutoCloseable {
  static final Duration LIFETIME = Duration.ofDays(1);

  private static final int PAGE = 1_000;

  private final StateClient client;
  private final String scope = "replay:" + UUID.randomUUID() + ":";
  private final Set<String> bounded = ConcurrentHashMap.newKeySet();

  ReplayKeys(StateClient client) {
    this.client = client;
  }

  /** The result of an operation on a key of this run that may be new. */
  <T> Future<T> ask(String operation, String key, JsonObject arguments) {
    return client.ask(operation, arguments.put("key", name(key)).put("ttl", LIFETIME.toMillis()));
  }

  /** The result of any operation; whoever sends it names the keys. */
  <T> Future<T> send(String operation, JsonObject arguments) {
    return client.ask(operation, arguments);
  }

  /** What a key of this run is called in the store. */
  String name(String key) {
    return scope + key;
  }

  /** The same for a key with a hash tag, which must not be empty and ends with the first brace. */
  String tagged(String family, String tag) {
    return name(family) + "{" + tag.replace("%", "%25").replace("}", "%7D") + "}";
  }

  /** Gives a lifetime to a key that an operation without one has made; once is enough. */
  Future<?> boundLifetime(String key) {
    return bounded.add(key)
        ? send("key.expire", new JsonObject().put("key", name(key)).put("ttl", LIFETIME.toMillis()))
        : Future.succeededFuture();
  }

  /** The scores of a key. */
  ReplayScores scores(String key) {
    return new ReplayScores(client, name(key));
  }

  /** All keys of this run that begin with a text, as the store knows them. */
  Set<String> list(String beginning) {
    Set<String> all = new TreeSet<>(); // a scan may show a key twice
    pages(beginning, all::addAll);
    return all;
  }

  /** The values of such keys. */
  List<String> values(String beginning) {
    List<String> values = new ArrayList<>();
    List<String> keys = List.copyOf(list(beginning));
    for (int from = 0; from < keys.size(); from += PAGE) {
      List<String> page = keys.subList(from, Math.min(from + PAGE, keys.size()));
      JsonArray texts = Waiting.on(client.ask("kv.getMany", named(page)));
      texts.forEach(text -> values.add((String) text));
    }
    return values;
  }

  /** Deletes them all. */
  @Override
  public void close() {
    pages("", keys -> Waiting.on(client.ask("key.deleteMany", named(keys))));
  }

  /** A difference between what is stored and what was answered is a lost or repeated write. */
  static void check(String what, long stored, long answered) {
    if (stored != answered) {
      throw new NodeFailure(
          "the store holds " + stored + " " + what + ", its answers told of " + answered);
    }
  }

  private void pages(String beginning, Consumer<List<String>> consumer) {
    JsonObject scan = new JsonObject().put("pattern", name(beginning) + "*").put("countHint", PAGE);
    do {
      JsonObject page = Waiting.on(client.ask("key.scan", scan));
      consumer.accept(page.getJsonArray("keys").stream().map(String.class::cast).toList());
      scan.put("cursor", page.getString("cursor"));
    } while (scan.getString("cursor") != null);
  }

  private static JsonObject named(List<String> keys) {
    return new JsonObject().put("keys", new JsonArray(keys));
  }
}
