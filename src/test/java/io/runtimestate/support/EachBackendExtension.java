package io.runtimestate.support;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Runs the tests of {@link EachBackend}. */
final class EachBackendExtension implements TestTemplateInvocationContextProvider {
  private static final Namespace STORE = Namespace.create(EachBackendExtension.class);
  private static final Set<String> WANTED =
      Arrays.stream(System.getProperty("runtimestate.doors", "memory,redis,bus").split(","))
          .map(String::trim)
          .collect(Collectors.toSet());

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public boolean mayReturnZeroTestTemplateInvocationContexts(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    EachBackend test =
        AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), EachBackend.class)
            .orElseThrow();
    return Arrays.stream(test.value())
        .filter(kind -> WANTED.contains(kind.word()))
        .flatMap(kind -> ways(kind, context))
        .filter(run -> run.way.isStandalone() || test.value().length > 1)
        .map(TestTemplateInvocationContext.class::cast);
  }

  /**
   * A case for redis alone looks at the shared server from its side, and so runs with one server
   * only.
   */
  private static Stream<Run> ways(DoorKind kind, ExtensionContext context) {
    Stream<RedisWay> others =
        AnnotationSupport.findAnnotation(context.getRequiredTestClass(), AlsoOnRedis.class)
            .filter(also -> kind == DoorKind.REDIS)
            .map(also -> Arrays.stream(also.value()).map(RedisWay::of))
            .orElseGet(Stream::empty);
    RedisWay given = kind == DoorKind.REDIS ? RedisWay.given() : RedisWay.of("");
    return Stream.concat(Stream.of(given), others).distinct().map(way -> new Run(kind, way));
  }

  /** One run through one door. */
  private record Run(DoorKind kind, RedisWay way) implements TestTemplateInvocationContext {
    @Override
    public String getDisplayName(int invocationIndex) {
      return kind.word() + way.word();
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(new FixtureProvider(kind, way));
    }
  }

  private record FixtureProvider(DoorKind kind, RedisWay way)
      implements ParameterResolver, AfterEachCallback {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Fixture.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getStore(STORE)
          .getOrComputeIfAbsent(
              Fixture.class, ignored -> new Fixture(door(context)), Fixture.class);
    }

    /** Doors are shared by all tests of the JVM and closed after the last one. */
    private SharedDoor door(ExtensionContext context) {
      return context
          .getRoot()
          .getStore(STORE)
          .getOrComputeIfAbsent(
              new Run(kind, way), ignored -> SharedDoor.open(kind, way), SharedDoor.class);
    }

    @Override
    public void afterEach(ExtensionContext context) {
      Fixture fixture = context.getStore(STORE).get(Fixture.class, Fixture.class);
      if (fixture != null) {
        fixture.finish();
      }
    }
  }
}
