package io.runtimestate.contract;

import static io.runtimestate.contract.Fails.assertFails;
import static io.runtimestate.contract.Fails.assertInvalid;
import static io.runtimestate.contract.Ttls.assertExpires;
import static io.runtimestate.contract.Ttls.assertMissing;
import static io.runtimestate.contract.Ttls.assertNoExpiry;
import static io.runtimestate.contract.Ttls.ms;
import static io.runtimestate.contract.Ttls.seconds;
import static io.runtimestate.support.Await.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.Sets;
import io.runtimestate.data.FailureCode;
import io.runtimestate.support.EachBackend;
import io.runtimestate.support.Fixture;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

class SetContractTest {

  @EachBackend
  @DisplayName("C135 the last member is removed once and leaves an empty set")
  void remove_twice(Fixture f) {
    Sets sets = f.state().sets();
    get(sets.add(f.key("s"), "m"));
    assertThat(get(sets.remove(f.key("s"), "m"))).isTrue();
    assertThat(get(sets.remove(f.key("s"), "m"))).isFalse();
    assertThat(get(sets.size(f.key("s")))).isZero();
  }

  @EachBackend
  @DisplayName("C136 members come in the order of their UTF-8 bytes")
  void members_byteOrder(Fixture f) {
    Sets sets = f.state().sets();
    get(sets.addAll(f.key("s"), List.of("b", "\ud83d\ude00", "a", "\uffff", "é", "Z")));
    assertThat(get(sets.members(f.key("s"))))
        .containsExactly("Z", "a", "b", "é", "\uffff", "\ud83d\ude00");
  }

  @EachBackend
  @DisplayName("C138 C139 the last member takes the key and its expiry along")
  void remove_last(Fixture f) {
    Sets sets = f.state().sets();
    get(sets.add(f.key("s"), "m"));
    get(f.state().keys().expire(f.key("s"), seconds(100)));
    assertThat(get(sets.remove(f.key("s"), "m"))).isTrue();
    assertMissing(f.state(), f.key("s"));
    assertThat(get(f.state().keys().list(f.key("*")))).isEmpty();
    assertThat(get(f.state().keys().expire(f.key("s"), seconds(100)))).isFalse();
    assertThat(get(sets.add(f.key("s"), "m"))).isTrue();
    assertNoExpiry(f.state(), f.key("s"));
  }

  @EachBackend
  @DisplayName("C140 adding and removing others keeps the expiry")
  void add_keepsTtl(Fixture f) {
    Sets sets = f.state().sets();
    get(sets.add(f.key("s"), "m"));
    get(f.state().keys().expire(f.key("s"), seconds(100)));
    assertThat(get(sets.add(f.key("s"), "n"))).isTrue();
    assertThat(get(sets.add(f.key("s"), "n"))).isFalse();
    assertThat(get(sets.remove(f.key("s"), "m"))).isTrue();
    assertExpires(f.state(), f.key("s"), seconds(90), seconds(100));
  }

  @EachBackend
  @DisplayName("C141 the empty text is a member like any other")
  void emptyMember(Fixture f) {
    Sets sets = f.state().sets();
    assertThat(get(sets.add(f.key("s"), ""))).isTrue();
    assertThat(get(sets.members(f.key("s")))).containsExactly("");
    assertThat(get(sets.contains(f.key("s"), ""))).isTrue();
    assertThat(get(sets.remove(f.key("s"), ""))).isTrue();
    assertMissing(f.state(), f.key("s"));
  }

  @EachBackend
  @DisplayName("C142 addAll counts distinct new members")
  void addAll_counts(Fixture f) {
    Sets sets = f.state().sets();
    get(sets.add(f.key("s"), "a"));
    assertThat(get(sets.addAll(f.key("s"), List.of("a", "b", "b", "c")))).isEqualTo(2);
    assertThat(get(sets.members(f.key("s")))).containsExactly("a", "b", "c");
    assertThat(get(sets.addAll(f.key("s"), List.of("a")))).isZero();
  }

  @EachBackend
  @DisplayName("C143 removeAll counts distinct removed members")
  void removeAll_counts(Fixture f) {
    Sets sets = f.state().sets();
    get(sets.addAll(f.key("s"), List.of("a", "b", "c")));
    get(f.state().keys().expire(f.key("s"), seconds(100)));
    assertThat(get(sets.removeAll(f.key("s"), List.of("a", "x", "a")))).isEqualTo(1);
    assertExpires(f.state(), f.key("s"), seconds(90), seconds(100));
    assertThat(get(sets.removeAll(f.key("s"), List.of("b", "c")))).isEqualTo(2);
    assertMissing(f.state(), f.key("s"));
  }

  @EachBackend
  @DisplayName("C144 contains looks at the exact text")
  void contains_exact(Fixture f) {
    Sets sets = f.state().sets();
    get(sets.add(f.key("s"), "a"));
    assertThat(get(sets.contains(f.key("s"), "a"))).isTrue();
    assertThat(get(sets.contains(f.key("s"), "A"))).isFalse();
    assertThat(get(sets.contains(f.key("s"), " a"))).isFalse();
    assertThat(get(sets.contains(f.key("missing"), "a"))).isFalse();
  }

  @EachBackend
  @DisplayName("C145 a value is not a set")
  void wrongType(Fixture f) {
    Sets sets = f.state().sets();
    String key = f.key("k");
    get(f.state().kv().set(key, "v"));
    assertFails(sets.addAll(key, List.of("a")), FailureCode.WRONG_TYPE);
    assertFails(sets.removeAll(key, List.of("a")), FailureCode.WRONG_TYPE);
    assertFails(sets.contains(key, "a"), FailureCode.WRONG_TYPE);
    assertFails(sets.members(key), FailureCode.WRONG_TYPE);
    assertFails(sets.size(key), FailureCode.WRONG_TYPE);
    assertFails(sets.add(key, "a"), FailureCode.WRONG_TYPE).startsWith("set.add: ");
    assertFails(sets.remove(key, "a"), FailureCode.WRONG_TYPE);
    assertThat(get(sets.addAll(key, List.of()))).isZero();
    assertThat(get(sets.removeAll(key, List.of()))).isZero();
    assertThat(get(f.state().kv().get(key))).contains("v");
  }

  @EachBackend
  @DisplayName("C146 F05 20 000 members, half of them duplicates, are added and removed")
  void addAll_large(Fixture f) {
    Sets sets = f.state().sets();
    List<String> members =
        new ArrayList<>(IntStream.range(0, 20_000).mapToObj(i -> "m" + i % 10_000).toList());
    assertThat(get(sets.addAll(f.key("s"), members))).isEqualTo(10_000);
    assertThat(get(sets.size(f.key("s")))).isEqualTo(10_000);
    assertThat(get(sets.members(f.key("s")))).hasSize(10_000).isSorted();
    Collections.reverse(members);
    assertThat(get(sets.removeAll(f.key("s"), members))).isEqualTo(10_000);
    assertMissing(f.state(), f.key("s"));
  }

  @EachBackend
  @DisplayName("0.9.5 reads and removals of a missing set create nothing")
  void missing(Fixture f) {
    Sets sets = f.state().sets();
    assertThat(get(sets.members(f.key("s")))).isEmpty();
    assertThat(get(sets.size(f.key("s")))).isZero();
    assertThat(get(sets.remove(f.key("s"), "m"))).isFalse();
    assertThat(get(sets.removeAll(f.key("s"), List.of("m")))).isZero();
    assertMissing(f.state(), f.key("s"));
  }

  @EachBackend
  @DisplayName("0.1 an expired set is absent, also as a type")
  void expired(Fixture f) {
    Sets sets = f.state().sets();
    get(sets.addAll(f.key("s"), List.of("a", "b")));
    get(f.state().keys().expire(f.key("s"), ms(1)));
    f.pass(ms(50));
    assertThat(get(sets.contains(f.key("s"), "a"))).isFalse();
    assertThat(get(f.state().scores().set(f.key("s"), "a", 1))).isTrue();
  }

  @EachBackend
  @DisplayName("0.4 H03 members are exact texts of any kind")
  void texts(Fixture f) {
    Sets sets = f.state().sets();
    List<String> texts =
        List.of("e\u0301", "é", "\0", "a\r\nb", "\"{}%~", "👩‍👩‍👧", "שלום", "x".repeat(70_000));
    assertThat(get(sets.addAll(f.key("s"), texts))).isEqualTo(texts.size());
    assertThat(get(sets.members(f.key("s")))).containsExactlyInAnyOrderElementsOf(texts);
    assertInvalid(sets.add(f.key("s"), "\ud800")).contains("member");
    assertInvalid(sets.addAll(f.key("s"), List.of("a", "\udc00"))).contains("members[1]");
    assertInvalid(sets.addAll(f.key("s"), null)).contains("members");
    assertInvalid(sets.add("", "a")).contains("key");
    assertThat(get(sets.size(f.key("s")))).isEqualTo(texts.size());
  }
}
