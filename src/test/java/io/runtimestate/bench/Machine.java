package io.runtimestate.bench;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.sun.management.OperatingSystemMXBean;
import io.github.bucket4j.Bucket;
import io.lettuce.core.RedisClient;
import io.netty.channel.Channel;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Redis;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.redisson.Redisson;

/** What the figures were measured on. */
final class Machine {
  private static final Pattern VERSION = Pattern.compile("-(\\d[\\w.]*)\\.jar$");

  private Machine() {}

  static JsonObject describe() {
    return new JsonObject()
        .put(
            "processor", processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores")
        .put("memory", (memory() + (1L << 29) >> 30) + " GiB")
        .put("system", property("os.name") + " " + property("os.version"))
        .put("JDK", property("java.vm.name") + " " + property("java.runtime.version"))
        .put("heap", (Runtime.getRuntime().maxMemory() >> 20) + " MiB")
        .put("Vert.x", version(Vertx.class))
        .put("vertx-redis-client", version(Redis.class))
        .put("Netty", version(Channel.class))
        .put("Lettuce", version(RedisClient.class))
        .put("Redisson", version(Redisson.class))
        .put("Bucket4j", version(Bucket.class))
        .put("Caffeine", version(Caffeine.class));
  }

  private static String property(String name) {
    return System.getProperty(name);
  }

  private static long memory() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }

  private static String processor() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 2))
          .findFirst()
          .orElse(property("os.arch"));
    } catch (IOException notLinux) {
      return property("os.arch");
    }
  }

  /** From the name of the jar: manifests do not agree on where the version is. */
  static String version(Class<?> type) {
    String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    Matcher version = VERSION.matcher(jar);
    return version.find() ? version.group(1) : "unknown";
  }
}
