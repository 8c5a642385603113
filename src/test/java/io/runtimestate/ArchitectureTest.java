package io.runtimestate;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The layers of the library: who may import what. */
class ArchitectureTest {
  private static final String ROOT = "io.runtimestate";
  private static final String VERTX = "io.vertx.core..";
  private static final String JSON = "io.vertx.core.json..";

  /** The packages with what they may import beside themselves and the JDK. */
  private static final Map<String, String[]> LAYERS =
      Map.ofEntries(
          Map.entry("data", may()),
          Map.entry("config", may("data", JSON, "io.vertx.core.net..")),
          Map.entry("operation", may("data")),
          Map.entry("spi", may("data", "operation", VERTX)),
          Map.entry("memory.table", may("data")),
          Map.entry(
              "memory",
              may("data", "config", "operation", "spi", "memory.table", VERTX, "io.netty.channel")),
          Map.entry(
              "redis",
              may(
                  "data",
                  "config",
                  "operation",
                  "spi",
                  VERTX,
                  "io.netty.buffer..",
                  "io.netty.channel..",
                  "io.netty.handler..",
                  "javax.net.ssl..",
                  "io.vertx.redis.client..")),
          Map.entry("eventbus", may("data", "config", "operation", "spi", VERTX)),
          Map.entry("lease", may("data", "operation", "spi", VERTX)),
          Map.entry("worker", may("data", "operation", "spi", VERTX)),
          Map.entry(
              "observe",
              may(
                  "data",
                  "operation",
                  "spi",
                  VERTX,
                  "io.micrometer.core..",
                  "io.vertx.micrometer..",
                  "io.vertx.ext.healthchecks..")));

  /** Classes that need what Vert.x keeps for its own projects; each is one more to port. */
  private static final Set<String> USE_INTERNALS =
      Set.of(
          "Closing",
          "SharedRuntime",
          "eventbus.CallWatch",
          "eventbus.RemoteBackend",
          "lease.LeaseLoop",
          "memory.Later",
          "memory.MemoryBackend",
          "memory.Owner",
          "observe.MetricsBinding",
          "redis.Call",
          "redis.Commands",
          "redis.Connector",
          "redis.FlushMergingVertx",
          "redis.KeyCommands",
          "redis.LaneSocket",
          "redis.Lanes",
          "redis.Loop",
          "redis.Opening",
          "redis.RedisBackend",
          "redis.SetCommands",
          "spi.Callers",
          "spi.ClockEstimate",
          "worker.WorkContext");

  private static String[] may(String... packages) {
    return Arrays.stream(packages)
        .map(name -> name.startsWith("io.") || name.startsWith("javax.") ? name : ROOT + "." + name)
        .toArray(String[]::new);
  }

  static Stream<String> layers() {
    return LAYERS.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("layers")
  @DisplayName("a package imports only what its layer may")
  void layer_importsDownwards(String layer) {
    String own = ROOT + "." + layer;
    check(
        classes()
            .that()
            .resideInAPackage(own)
            .should()
            .onlyDependOnClassesThat(
                resideInAnyPackage(LAYERS.get(layer))
                    .or(resideInAPackage(own))
                    .or(resideInAPackage("java..")))
            .allowEmptyShould(true));
  }

  @Test
  @DisplayName("every package is a layer of the table, the root or the node")
  void packages_known() {
    check(
        classes()
            .should()
            .resideInAnyPackage(
                Stream.concat(layers().map(layer -> ROOT + "." + layer), nodeAndRoot())
                    .toArray(String[]::new)));
  }

  private static Stream<String> nodeAndRoot() {
    return Stream.of(ROOT, ROOT + ".node..");
  }

  @Test
  @DisplayName("packages do not depend on each other in a circle, nor on the root")
  void packages_acyclic() {
    check(slices().matching(ROOT + ".(**)").should().beFreeOfCycles());
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(ROOT, ROOT + ".node..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT, ROOT + ".node.."));
  }

  @Test
  @DisplayName("in the root only RuntimeState knows the backends")
  void root_hidesBackends() {
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT)
            .and()
            .doNotHaveSimpleName("RuntimeState")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT + ".memory..", ROOT + ".redis.."));
  }

  @Test
  @DisplayName("only the redis package knows the Redis client")
  void redisClient_onlyInRedis() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".redis..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.vertx.redis.."));
  }

  @Test
  @DisplayName("Vert.x internals are used by the listed classes only")
  void internals_listed() {
    check(
        noClasses()
            .that(not(new Listed()))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.vertx.core.internal..")
            .orShould()
            .dependOnClassesThat()
            .resideInAPackage("io.vertx.core..impl.."));
  }

  private static final class Listed extends DescribedPredicate<JavaClass> {
    Listed() {
      super("listed");
    }

    @Override
    public boolean test(JavaClass type) {
      String topLevel = type.getName().replaceFirst("\\$.*", "");
      return USE_INTERNALS.contains(topLevel.substring(ROOT.length() + 1));
    }
  }

  @Test
  @DisplayName("no future is made without a context")
  void futures_haveContexts() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".node..")
            .should()
            .accessTargetWhere(new MakesContextFreeFuture()));
  }

  private static final class MakesContextFreeFuture extends DescribedPredicate<JavaAccess<?>> {
    MakesContextFreeFuture() {
      super("a static factory of Future makes it");
    }

    @Override
    public boolean test(JavaAccess<?> access) {
      return access.getTargetOwner().isEquivalentTo(Future.class)
          && Set.of("succeededFuture", "failedFuture").contains(access.getTarget().getName());
    }
  }

  @Test
  @DisplayName("nothing blocks or prints")
  void nothing_blocks() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".node..")
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err"));
  }

  private static void check(ArchRule rule) {
    rule.check(MainClasses.ALL);
  }
}
