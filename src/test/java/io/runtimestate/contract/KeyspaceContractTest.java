package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.assertExpires;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.KeyValue;
import io.runtimestate.support.DoorKind;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;

class KeyspaceContractTest {

  @EachBackend
  @DisplayName("C021 physical names are the same everywhere and can be undone")
  void namespaceKey_undone(Fixture f) {
    for (String key : List.of("k", ":x", "{a}", "a:d:b", " ", f.prefix() + ":d:k")) {
      String physical = f.state().namespaceKey(key);
      assertThat(physical).isEqualTo(f.prefix() + ":d:" + key);
      assertThat(f.state().stripNamespace(physical)).isEqualTo(key);
    }
  }

  @EachBackend
  @DisplayName("C022 C023 what does not begin with the namespace is left alone")
  void stripNamespace_foreign(Fixture f) {
    RuntimeState app = f.open(f.options().setKeyPrefix("app"));
    for (String text : List.of("application:d:item", "app:d", "app:rl:x", ":x", "", "d:item")) {
      assertThat(app.stripNamespace(text)).isEqualTo(text);
    }
    assertThat(app.stripNamespace("app:d:item")).isEqualTo("item");
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C024 runtimes with different prefixes do not see each other")
  void prefixes_separate(Fixture f) {
    RuntimeState other = f.open(f.options());
    RuntimeState below = f.open(f.options().setKeyPrefix(f.prefix() + ":x"));
    get(f.state().kv().set(f.key("v"), "v"));
    for (RuntimeState stranger : List.of(other, below)) {
      assertThat(get(stranger.kv().get(f.key("v")))).isEmpty();
      assertThat(get(stranger.keys().exists(f.key("v")))).isFalse();
      assertThat(get(stranger.keys().list("*"))).isEmpty();
      assertThat(get(stranger.keys().delete(f.key("v")))).isFalse();
    }
    assertThat(get(f.state().keys().list(f.key("*")))).containsExactly(f.key("v"));
  }

  @EachBackend(DoorKind.REDIS)
  @DisplayName("C025 the store outlives its runtimes")
  void store_outlives(Fixture f) {
    RuntimeStateOptions options = f.options();
    RuntimeState first = f.open(options);
    RuntimeState second = f.open(options);
    get(first.kv().set("k", "v", seconds(30)));
    get(Future.all(first.close(), second.close()));
    RuntimeState third = f.open(options);
    assertThat(get(third.kv().get("k"))).contains("v");
    assertExpires(third, "k", seconds(10), seconds(30));
    get(third.keys().delete("k"));
  }

  @EachBackend
  @DisplayName("0.6 two handles on one store see each other's writes")
  void handles_share(Fixture f) {
    get(f.state().kv().set(f.key("k"), "v"));
    assertThat(get(f.second().kv().take(f.key("k")))).contains("v");
    assertThat(get(f.state().kv().get(f.key("k")))).isEmpty();
  }

  @EachBackend
  @DisplayName("C026 an empty key is refused, a blank one works")
  void keys_emptyAndBlank(Fixture f) {
    callsWith(f.state(), "").forEach(call -> assertInvalid(call).contains("must not be empty"));
    callsWith(f.state(), " ").forEach(call -> get(call));
    get(f.state().kv().set(" ", "blank"));
    assertThat(get(f.state().kv().get(" "))).contains("blank");
    assertThat(get(f.state().keys().delete(" "))).isTrue();
  }

  private static Stream<Future<?>> callsWith(RuntimeState state, String key) {
    return Stream.of(
        state.kv().set(key, "7"),
        state.kv().setIfAbsent(key, "7"),
        state.kv().get(key),
        state.kv().getMany(List.of(key)),
        state.kv().setMany(List.of(new KeyValue(key, "7")), null),
        state.kv().compareAndSet(key, "7", "8"),
        state.kv().increment(key, 1),
        state.kv().deleteIfEquals(key, "7"),
        state.kv().take(key),
        state.keys().exists(key),
        state.keys().ttl(key),
        state.keys().expire(key, seconds(1)),
        state.keys().persist(key),
        state.keys().delete(key),
        state.keys().deleteMany(List.of(key)));
  }

  @EachBackend
  @DisplayName("C032 with enforceSlots, calls over many keys work across slots")
  void enforceSlots_manyKeys(Fixture f) {
    RuntimeState state = f.open(f.options().setEnforceSlots(true));
    List<String> keys = f.keys("k", 50);
    get(state.kv().setMany(keys.stream().map(key -> new KeyValue(key, key)).toList(), seconds(60)));
    assertThat(get(state.kv().getMany(keys))).isEqualTo(keys.stream().map(Optional::of).toList());
    assertThat(get(state.keys().list(f.key("k*")))).containsExactlyInAnyOrderElementsOf(keys);
    assertThat(get(state.keys().deleteMany(keys))).isEqualTo(50);
  }

  @EachBackend
  @DisplayName("C034 E05 braces in names are nothing special")
  void keys_braces(Fixture f) {
    for (String name : List.of("{a", "a}", "}{", "{}", "{}{b}", "{{x}}", "a{b}{c}")) {
      String key = name + f.key("");
      get(f.state().kv().set(key, name));
      assertThat(get(f.state().kv().get(key))).contains(name);
      assertThat(get(f.state().kv().getMany(List.of(key)))).containsExactly(Optional.of(name));
      assertThat(get(f.state().keys().list(key))).containsExactly(key);
      assertThat(get(f.state().kv().compareAndSet(key, name, "1"))).isTrue();
      assertThat(get(f.state().kv().increment(key, 1, seconds(9)))).isEqualTo(2);
      assertThat(get(f.state().keys().expire(key, seconds(9)))).isTrue();
      assertThat(get(f.state().keys().deleteMany(List.of(key)))).isEqualTo(1);
    }
  }
}
