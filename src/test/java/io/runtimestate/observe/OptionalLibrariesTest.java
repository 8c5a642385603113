package io.runtimestate.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.support.Await;
import io.vertx.core.Vertx;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A runtime needs neither Micrometer nor health checks nor the launcher on its class path. */
class OptionalLibrariesTest {
  private static final Pattern OPTIONAL =
      Pattern.compile(".*(micrometer|health-check|launcher|picocli).*");

  @Test
  void open_withoutOptionalLibraries() throws Exception {
    try (URLClassLoader loader =
        new URLClassLoader(without(OPTIONAL), ClassLoader.getPlatformClassLoader())) {
      assertThat(loader.getResource("io/micrometer/core/instrument/Meter.class")).isNull();
      Thread.currentThread().setContextClassLoader(loader);
      Runnable use =
          (Runnable) loader.loadClass(Use.class.getName()).getDeclaredConstructor().newInstance();
      use.run();
    } finally {
      Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
    }
  }

  private static URL[] without(Pattern excluded) throws MalformedURLException {
    List<String> entries =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !excluded.matcher(Path.of(entry).getFileName().toString()).matches())
            .toList();
    URL[] urls = new URL[entries.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = Path.of(entries.get(i)).toUri().toURL();
    }
    return urls;
  }

  /** What is run with those libraries missing. */
  public static final class Use implements Runnable {
    /** For the other class loader. */
    public Use() {}

    @Override
    public void run() {
      Vertx vertx = Vertx.vertx();
      RuntimeState state = Await.get(RuntimeState.open(vertx, new RuntimeStateOptions()));
      Await.get(state.kv().set("k", "v"));
      assertThat(Await.get(state.health()).up()).isTrue();
      Await.get(state.close());
      Await.get(vertx.close());
    }
  }
}
