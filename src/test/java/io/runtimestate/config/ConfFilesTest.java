package io.runtimestate.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.data.BackendKind;
import io.runtimestate.support.ReadmeAcl;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The shipped configurations are options JSON, read whole. */
class ConfFilesTest {
  private static final Path CONF = Path.of("conf");

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(CONF)) {
      return files.toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void file_isValid(Path file) throws IOException {
    assertThat(options(file).validate()).isNotNull();
  }

  @Test
  void file_backends() throws IOException {
    assertThat(options(CONF.resolve("config.json")).effectiveBackend())
        .isEqualTo(BackendKind.MEMORY);
    assertThat(options(CONF.resolve("redis.json")).getRedis().effectiveEndpoints())
        .singleElement()
        .hasToString("redis://127.0.0.1:6379/0");
  }

  @Test
  void file_topologies() throws IOException {
    RedisOptions tls = redis("redis-tls.json");
    assertThat(tls.effectiveEndpoints().get(0).isTls()).isTrue();
    assertThat(tls.getTls().getTrustOptions()).isNotNull();
    assertThat(tls.getTls().getKeyCertOptions()).isNotNull();
    RedisUrl socket = redis("redis-unix.json").effectiveEndpoints().get(0);
    assertThat(socket.path()).isEqualTo("/run/redis/redis.sock");
    assertThat(socket.database()).hasValue(1);
    assertThat(redis("redis-sentinel.json").getTopology()).isEqualTo(RedisTopology.SENTINEL);
    assertThat(redis("redis-sentinel.json").effectiveSentinels()).hasSize(3);
    assertThat(redis("redis-cluster.json").getTopology()).isEqualTo(RedisTopology.CLUSTER);
    assertThat(redis("redis-cluster.json").effectiveEndpoints()).hasSize(3);
    assertThat(redis("redis-acl.json").effectiveUsername()).contains(ReadmeAcl.USER);
  }

  private static RedisOptions redis(String file) throws IOException {
    return options(CONF.resolve(file)).getRedis();
  }

  private static RuntimeStateOptions options(Path file) throws IOException {
    return new RuntimeStateOptions(new JsonObject(Files.readString(file)));
  }
}
