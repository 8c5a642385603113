package io.runtimestate.config;

import io.vertx.core.json.JsonObject;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.JksOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.KeyStoreOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.TrustOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The complete JSON of TLS settings. Vert.x itself leaves keys and trust out of it, ignores what it
 * does not know or cannot read, and compares neither {@code trustAll} nor host name verification.
 *
 * <p>Whether a value is readable is asked of Vert.x: it reads the single entry, and what it would
 * write again must be the same. That holds for every version of its settings.
 */
final class TlsJson {
  private static final List<Material<?>> MATERIALS =
      List.of(
          key(
              "pemKeyCertOptions",
              PemKeyCertOptions.class,
              PemKeyCertOptions::new,
              PemKeyCertOptions::toJson),
          key("pfxKeyCertOptions", PfxOptions.class, PfxOptions::new, PfxOptions::toJson),
          key("jksKeyCertOptions", JksOptions.class, JksOptions::new, JksOptions::toJson),
          key(
              "keyStoreOptions",
              KeyStoreOptions.class,
              KeyStoreOptions::new,
              KeyStoreOptions::toJson),
          trust(
              "pemTrustOptions",
              PemTrustOptions.class,
              PemTrustOptions::new,
              PemTrustOptions::toJson),
          trust("pfxTrustOptions", PfxOptions.class, PfxOptions::new, PfxOptions::toJson),
          trust("jksTrustOptions", JksOptions.class, JksOptions::new, JksOptions::toJson),
          trust(
              "trustStoreOptions",
              KeyStoreOptions.class,
              KeyStoreOptions::new,
              KeyStoreOptions::toJson));

  private TlsJson() {}

  /** One form of key or trust material with its name in JSON. */
  private record Material<M>(
      String name,
      Class<M> type,
      Function<ClientSSLOptions, Object> get,
      BiConsumer<ClientSSLOptions, M> set,
      Function<JsonObject, M> fromJson,
      Function<M, JsonObject> toJson) {

    boolean isIn(ClientSSLOptions tls) {
      return get.apply(tls) != null && get.apply(tls).getClass() == type;
    }

    void read(String path, JsonObject json, ClientSSLOptions target) {
      Rules.require(get.apply(target) == null, path + " must name one source of keys and of trust");
      String name = path + "." + this.name;
      JsonObject material = Kind.object(name, json.getValue(this.name));
      requireReadable(name, material, entry -> toJson.apply(fromJson.apply(entry)));
      set.accept(target, fromJson.apply(material));
    }

    JsonObject write(ClientSSLOptions tls) {
      return toJson.apply(type.cast(get.apply(tls)));
    }
  }

  private static <M extends KeyCertOptions> Material<M> key(
      String name, Class<M> type, Function<JsonObject, M> read, Function<M, JsonObject> write) {
    return new Material<>(
        name,
        type,
        ClientSSLOptions::getKeyCertOptions,
        ClientSSLOptions::setKeyCertOptions,
        read,
        write);
  }

  private static <M extends TrustOptions> Material<M> trust(
      String name, Class<M> type, Function<JsonObject, M> read, Function<M, JsonObject> write) {
    return new Material<>(
        name,
        type,
        ClientSSLOptions::getTrustOptions,
        ClientSSLOptions::setTrustOptions,
        read,
        write);
  }

  static ClientSSLOptions read(String path, JsonObject json) {
    JsonObject settings = json.copy();
    MATERIALS.forEach(material -> settings.remove(material.name));
    requireReadable(path, settings, entry -> new ClientSSLOptions(entry).toJson());
    ClientSSLOptions tls = new ClientSSLOptions(settings);
    MATERIALS.stream()
        .filter(material -> json.getValue(material.name) != null)
        .forEach(material -> material.read(path, json, tls));
    return tls;
  }

  /** Fails for material that has no JSON form rather than losing it. */
  static JsonObject write(ClientSSLOptions tls) {
    JsonObject json = tls.toJson();
    List<Material<?>> present = MATERIALS.stream().filter(material -> material.isIn(tls)).toList();
    present.forEach(material -> json.put(material.name, material.write(tls)));
    long expected =
        Stream.of(tls.getKeyCertOptions(), tls.getTrustOptions()).filter(Objects::nonNull).count();
    Rules.require(present.size() == expected, "redis.tls has keys or trust without a JSON form");
    return json;
  }

  static Object identity(ClientSSLOptions tls) {
    return Arrays.asList(tls.toJson(), tls.getKeyCertOptions(), tls.getTrustOptions());
  }

  private static void requireReadable(
      String path, JsonObject json, Function<JsonObject, JsonObject> echo) {
    for (String name : json.fieldNames()) {
      JsonObject entry = new JsonObject().put(name, json.getValue(name));
      if (!isEchoed(name, entry, echo)) {
        throw Rules.unreadable(path + ".", name);
      }
    }
  }

  private static boolean isEchoed(
      String name, JsonObject entry, Function<JsonObject, JsonObject> echo) {
    try {
      JsonObject all = echo.apply(entry);
      return all.containsKey(name) && new JsonObject().put(name, all.getValue(name)).equals(entry);
    } catch (RuntimeException unreadable) {
      return false;
    }
  }
}
