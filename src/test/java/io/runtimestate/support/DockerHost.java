package io.runtimestate.support;

import com.github.dockerjava.api.DockerClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/** A server in a container. The image is named by {@code runtimestate.redis.image}. */
final class DockerHost implements RedisHost {

  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final String CONFIG = "/tmp/redis.conf";

  private final GenericContainer<?> container;

  private DockerHost(List<String> extraLines) {
    container =
        new GenericContainer<>(
                DockerImageName.parse(
                    System.getProperty("runtimestate.redis.image", "redis:7.4-alpine")))
            .withExposedPorts(6379)
            .withCopyToContainer(Transferable.of(config(extraLines)), CONFIG)
            .withCommand("redis-server", CONFIG);
  }

  /** Asking Docker costs half a second and a loud log: only where there is a door to knock at. */
  static boolean available() {
    return hasSocket() && DockerClientFactory.instance().isDockerAvailable();
  }

  private static boolean hasSocket() {
    String home = System.getProperty("user.home");
    return System.getenv("DOCKER_HOST") != null
        || System.getProperty("os.name").startsWith("Windows")
        || Stream.of(
                "/var/run/docker.sock",
                home + "/.docker/run/docker.sock",
                System.getenv("XDG_RUNTIME_DIR") + "/docker.sock")
            .anyMatch(path -> Files.exists(Path.of(path)));
  }

  static DockerHost started(List<String> extraLines) {
    var host = new DockerHost(extraLines);
    host.container.start();
    return host;
  }

  private static String config(List<String> extraLines) {
    var lines = new ArrayList<>(List.of("protected-mode no", "save \"\"", "appendonly no"));
    lines.addAll(extraLines);
    return String.join("\n", lines) + "\n";
  }

  @Override
  public String hostName() {
    return container.getHost();
  }

  /** Docker may give another port after a restart, so this is asked each time. */
  @Override
  public int port() {
    return container.getMappedPort(6379);
  }

  @Override
  public void start() {
    docker().startContainerCmd(id()).exec();
    Await.until(() -> RedisProbe.answers(hostName(), port()), START_LIMIT, "the container answers");
  }

  @Override
  public void stop() {
    docker().stopContainerCmd(id()).withTimeout(5).exec();
  }

  @Override
  public void kill() {
    docker().killContainerCmd(id()).exec();
  }

  @Override
  public void pause() {
    docker().pauseContainerCmd(id()).exec();
  }

  @Override
  public void resume() {
    docker().unpauseContainerCmd(id()).exec();
  }

  @Override
  public void forgetData() {
    throw new UnsupportedOperationException("a container keeps what it saved: start a new one");
  }

  @Override
  public void close() {
    container.stop();
  }

  private String id() {
    return container.getContainerId();
  }

  private static DockerClient docker() {
    return DockerClientFactory.lazyClient();
  }
}
