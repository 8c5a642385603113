package io.runtimestate.config;

import static io.runtimestate.config.Invalid.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUrlTest {
  @Test
  void parse_allParts() {
    RedisUrl url = RedisUrl.parse("rediss://us%40er:p%25%3Aw@Host.example:7000/3?token=t#f");
    assertThat(url.scheme()).isEqualTo("rediss");
    assertThat(url.isTls()).isTrue();
    assertThat(url.host()).isEqualTo("Host.example");
    assertThat(url.port()).isEqualTo(7000);
    assertThat(url.username()).hasValue("us@er");
    assertThat(url.password()).hasValue("p%:w");
    assertThat(url.database()).hasValue(3);
    assertThat(url).hasToString("rediss://Host.example:7000/3");
    assertThat(url.address()).isEqualTo("rediss://Host.example:7000");
  }

  @Test
  void parse_decodesOnceAfterSplitting() {
    RedisUrl url = RedisUrl.parse("redis://:a%2540%3A%2F:b+%C3%A4@h");
    assertThat(url.username()).isEmpty();
    assertThat(url.password()).hasValue("a%40:/:b+ä");
    assertThat(url.port()).isEqualTo(RedisUrl.DEFAULT_PORT);
    assertThat(url.database()).isEmpty();
  }

  @Test
  void parse_unixPath() {
    RedisUrl url = RedisUrl.parse("unix://:pw@/run/my%20redis@1.sock?x=1&db=2");
    assertThat(url.isUnix()).isTrue();
    assertThat(url.host()).isEmpty();
    assertThat(url.path()).isEqualTo("/run/my redis@1.sock");
    assertThat(url.password()).hasValue("pw");
    assertThat(url.display()).isEqualTo("unix:///run/my redis@1.sock?db=2");
    assertThat(url.address()).isEqualTo("unix:///run/my%20redis@1.sock");
    assertThat(RedisUrl.parse("unix:/run/r.sock").address()).isEqualTo("unix:///run/r.sock");
  }

  @ParameterizedTest
  @CsvSource({
    "redis://h/, redis://h:6379",
    "redis://[::1]:7, redis://[::1]:7",
    "REDIS://h?db=4, redis://h:6379/4",
    "redis://h/5?db=4, redis://h:6379/5",
    "redis://u@h, redis://h:6379"
  })
  void display_isReduced(String text, String shown) {
    assertThat(RedisUrl.parse(text).display()).isEqualTo(shown);
  }

  @Test
  void display_isBounded() {
    assertThat(RedisUrl.parse("unix:///" + "x".repeat(600)).display()).hasSize(512);
    assertThat(RedisUrl.display("redis://")).isEqualTo("(8 characters)");
    assertThat(RedisUrl.display(null)).isEqualTo("(0 characters)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  ",
        "not a url",
        "http://h",
        "redis",
        "redis:",
        "redis://",
        "redis:///0",
        "redis://:6379",
        "redis://u:p@",
        "redis://h:0",
        "redis://h:65536",
        "redis://h:x",
        "redis://h/x",
        "redis://h/-1",
        "redis://h/1/2",
        "redis://h?db=x",
        "redis://h name",
        " redis://h",
        "redis://h\n",
        "h:6379",
        "//h:6379",
        "redis://u:%zz@h",
        "redis://u:%4@h",
        "redis://u:%ff@h",
        "redis://my_host",
        "redis://[::1",
        "unix:",
        "unix:///",
        "unix://host/path",
        "unix:path",
        "redis://u:12#x@h",
        "redis://u:12?x@h",
        "redis://u:1/2@h"
      })
  @DisplayName("C007 a URL that cannot be used is refused, whatever the backend")
  void url_isRefused(String url) {
    for (BackendMode mode : BackendMode.values()) {
      RuntimeStateOptions options = new RuntimeStateOptions().setBackend(mode);
      options.getRedis().setUrl(url);
      assertInvalid(options::validate)
          .startsWith("redis.url (" + url.length() + " characters) must ")
          .doesNotContain("@");
    }
  }

  @Test
  void endpoints_followTheSameRuleAndNameTheirIndex() {
    RedisOptions redis = new RedisOptions().setUrl("redis://a").addEndpoint("redis://b");
    redis.addEndpoint("http://c");
    assertInvalid(() -> new RuntimeStateOptions().setRedis(redis).validate())
        .startsWith("redis.endpoints[1] ");
  }

  @Test
  void effectiveEndpoints_carryWhatIsUsedThere() {
    RedisOptions redis = new RedisOptions().setUrl("redis://u:p@a/2");
    redis.setEndpoints(List.of("redis://b", "redis://v:q@c/3", "redis://u:p@a:6379/2"));
    assertThat(redis.effectiveEndpoints())
        .containsExactly(node("a", "u", "p", 2), node("b", "u", "p", 2), node("c", "v", "q", 3));
    redis.setUsername("w%41").setPassword("").setDatabase(0);
    assertThat(redis.effectiveEndpoints())
        .containsExactly(
            node("a", "w%41", "", 0), node("b", "w%41", "", 0), node("c", "w%41", "", 0));
  }

  @Test
  void effectiveEndpoints_areEmptyWithoutUrl() {
    RedisOptions redis = new RedisOptions();
    assertThat(redis.effectiveEndpoints()).isEmpty();
    assertThat(redis.effectiveUsername()).isEmpty();
    assertThat(redis.effectivePassword()).isEmpty();
    assertThat(redis.effectiveDatabase()).isZero();
  }

  private static RedisUrl node(String host, String user, String password, int database) {
    return new RedisUrl(
        "redis",
        host,
        6379,
        "",
        Optional.of(user),
        Optional.of(password),
        OptionalInt.of(database));
  }
}
