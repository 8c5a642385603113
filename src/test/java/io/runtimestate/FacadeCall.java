package io.runtimestate;

import io.runtimestate.data.KeyValue;
import io.runtimestate.data.LockLease;
import io.runtimestate.data.RateScope;
import io.runtimestate.data.ScoredMember;
import io.runtimestate.data.UsageRule;
import io.runtimestate.lease.FlightOptions;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A public method of the facades that makes a call, found by reflection so that none is forgotten.
 *
 * @param accessor the method of {@link RuntimeState} that gives the facade; null for its own calls
 */
public record FacadeCall(Method accessor, Method method) {
  /** Names that ask for a certain form of text, or for none. */
  private static final Map<String, String> TEXTS =
      Map.of("pattern", "k*", "id", "1-0", "destination", "d", "start", "0-0");

  private static final List<String> LEFT_OUT = List.of("cursor", "resource");

  /** Calls that wait, compute or work; their first operation is sent by the library's own loop. */
  private static final List<String> HELPERS =
      List.of("acquire", "hold", "withLock", "acquireAll", "getOrCompute");

  private static final Map<Class<?>, Object> LEASES =
      Map.of(
          LockLease.class,
          new LockLease("k", "k", "k:1", 1, Duration.ofMinutes(10)),
          FlightOptions.class,
          FlightOptions.DEFAULT,
          Function.class,
          (Function<Object, Future<?>>) held -> Future.succeededFuture(),
          Supplier.class,
          (Supplier<Future<String>>) () -> Future.succeededFuture("v"));

  private static final List<Object> ELEMENTS =
      List.of(
          "{t}k",
          new KeyValue("k", "v"),
          ScoredMember.of("m", 1),
          new RateScope("s", "k", 5),
          new UsageRule("{t}k", 1, Duration.ofMinutes(1)));

  private static final Map<Class<?>, Object> LIMITS =
      Map.of(
          ScoreRange.class,
          ScoreRange.all(),
          FixedWindow.class,
          new FixedWindow(Duration.ofMinutes(1)),
          OptionalDouble.class,
          OptionalDouble.empty(),
          OptionalInt.class,
          OptionalInt.empty());

  /** Methods of the runtime itself that return futures without making a call. */
  private static final List<String> NO_CALLS = List.of("close", "open", "connect", "execute");

  /** All of them. */
  public static List<FacadeCall> all() {
    Stream<FacadeCall> own = calls(null, RuntimeState.class);
    Stream<FacadeCall> facades =
        Arrays.stream(RuntimeState.class.getMethods())
            .filter(FacadeCall::isAccessor)
            .flatMap(accessor -> calls(accessor, accessor.getReturnType()));
    return Stream.concat(own, facades).toList();
  }

  private static boolean isAccessor(Method method) {
    Class<?> type = method.getReturnType();
    return method.getParameterCount() == 0
        && type.getPackage() == RuntimeState.class.getPackage()
        && type != RuntimeState.class;
  }

  private static Stream<FacadeCall> calls(Method accessor, Class<?> facade) {
    return Arrays.stream(facade.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .filter(method -> method.getReturnType() == Future.class)
        .filter(method -> accessor != null || !NO_CALLS.contains(method.getName()))
        .map(method -> new FacadeCall(accessor, method));
  }

  /** Whether it is more than one operation. */
  public boolean isHelper() {
    return HELPERS.contains(method.getName());
  }

  /** Arguments that break no rule. */
  public Object[] usualArguments() {
    return Arrays.stream(method.getParameters()).map(FacadeCall::usual).toArray();
  }

  private static Object usual(Parameter parameter) {
    Class<?> type = parameter.getType();
    if (LEFT_OUT.contains(parameter.getName())) {
      return null;
    }
    if (type == String.class) {
      return TEXTS.getOrDefault(parameter.getName(), "k");
    }
    if (type == List.class) {
      return List.of(usualElement(parameter.getParameterizedType().getTypeName()));
    }
    return LIMITS.containsKey(type) ? LIMITS.get(type) : usual(type, parameter);
  }

  private static Object usualElement(String listType) {
    if (listType.contains("<" + Map.class.getName())) {
      return Map.of("k", "v");
    }
    return ELEMENTS.stream()
        .filter(element -> listType.contains("<" + element.getClass().getName() + ">"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("teach FacadeCall an element of " + listType));
  }

  private static Object usual(Class<?> type, Parameter parameter) {
    Map<Class<?>, Object> usual = usualByType(parameter);
    if (!usual.containsKey(type)) {
      throw new AssertionError("teach FacadeCall the type of " + parameter);
    }
    return usual.get(type);
  }

  private static Map<Class<?>, Object> usualByType(Parameter parameter) {
    Map<Class<?>, Object> usual = new HashMap<>(LEASES);
    usual.putAll(
        Map.of(
            Duration.class,
            parameter.getName().equals("waitUpTo") ? Duration.ZERO : Duration.ofMinutes(10),
            Map.class,
            Map.of("k", "v"),
            Ttl.class,
            Ttl.none(),
            boolean.class,
            false,
            double.class,
            1.0,
            int.class,
            1,
            long.class,
            1L));
    return usual;
  }

  /** Makes the call; a synchronous throw is an assertion error, because facades never throw. */
  public Future<?> on(RuntimeState state, Object... arguments) {
    try {
      Object facade = accessor == null ? state : accessor.invoke(state);
      return (Future<?>) method.invoke(facade, arguments);
    } catch (InvocationTargetException thrown) {
      throw new AssertionError(this + " threw", thrown.getCause());
    } catch (IllegalAccessException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Override
  public String toString() {
    String parameters = Arrays.toString(method.getParameterTypes());
    return method.getDeclaringClass().getSimpleName() + "." + method.getName() + parameters;
  }
}
