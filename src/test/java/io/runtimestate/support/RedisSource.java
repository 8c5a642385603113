package io.runtimestate.support;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/** The places a Redis for tests can come from. */
enum RedisSource {
  DOCKER {
    @Override
    Optional<RedisHost> start(List<String> extraLines) {
      return DockerHost.available()
          ? Optional.of(DockerHost.started(extraLines))
          : Optional.empty();
    }
  },
  PATH {
    @Override
    Optional<RedisHost> start(List<String> extraLines) {
      return onPath(BINARY).map(binary -> ProcessHost.started(binary, extraLines));
    }
  },
  VALKEY {
    @Override
    Optional<RedisHost> start(List<String> extraLines) {
      return onPath("valkey-server").map(binary -> ProcessHost.started(binary, extraLines));
    }
  },
  EMBEDDED {
    @Override
    Optional<RedisHost> start(List<String> extraLines) {
      return Embedded.binary().map(binary -> ProcessHost.started(binary, extraLines));
    }
  };

  /** The name or path of the server that is started as a process. */
  private static final String BINARY =
      System.getProperty("runtimestate.redis.binary", "redis-server");

  private static final String HELP =
      """
      no Redis server found. Do one of these:
        install redis-server (for instance: apt-get install redis-server),
        start Docker,
        or name a server: -Druntimestate.redis.uri=redis://host:port
      looked at: %s\
      """;

  /** Starts a server there; empty if there is none. */
  abstract Optional<RedisHost> start(List<String> extraLines);

  /** For the server everybody shares: the machine's own choice of version comes first. */
  static RedisHost shared() {
    return first(List.of(DOCKER, PATH, EMBEDDED), List.of());
  }

  /** For a server of one's own: a process starts faster and can be frozen and killed. */
  static RedisHost own(List<String> extraLines) {
    return first(List.of(PATH, EMBEDDED, DOCKER), extraLines);
  }

  /** A process that watches others, of the same binary as the servers. */
  static RedisHost sentinel(List<String> extraLines) {
    return Stream.of(BINARY, "valkey-server")
        .flatMap(name -> onPath(name).stream())
        .findFirst()
        .or(Embedded::binary)
        .map(binary -> (RedisHost) ProcessHost.started(binary, extraLines, "--sentinel"))
        .orElseThrow(() -> new AssertionError(HELP.formatted("the path")));
  }

  private static RedisHost first(List<RedisSource> usual, List<String> extraLines) {
    List<RedisSource> sources = forced().map(List::of).orElse(usual);
    return sources.stream()
        .flatMap(source -> source.start(extraLines).stream())
        .findFirst()
        .orElseThrow(() -> new AssertionError(HELP.formatted(sources)));
  }

  static boolean isForced() {
    return forced().isPresent();
  }

  private static Optional<RedisSource> forced() {
    return Optional.ofNullable(System.getProperty("runtimestate.redis.server"))
        .filter(name -> !name.isBlank())
        .map(name -> valueOf(name.toUpperCase(Locale.ROOT)));
  }

  /** An absolute path stays one. */
  private static Optional<String> onPath(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(directory -> Path.of(directory).resolve(name))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  /** Unpacked once per JVM, and only if it is needed. */
  private static final class Embedded {
    private static final Optional<String> BINARY = unpack();

    static Optional<String> binary() {
      return BINARY;
    }

    private static Optional<String> unpack() {
      try {
        File binary = ExecutableProvider.newJarResourceProvider().get();
        binary.deleteOnExit();
        return Optional.of(binary.getPath());
      } catch (IOException | RuntimeException e) {
        return Optional.empty(); // No binary for this machine.
      }
    }
  }
}
