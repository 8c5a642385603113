package io.runtimestate.bench;

import io.runtimestate.operation.KvOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.operation.OperationCatalog;
import io.runtimestate.operation.OperationType;
import io.vertx.core.json.JsonObject;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Operations to and from the JSON of the event bus, beside building the operation by hand, which
 * checks its arguments too, and beside the text form of the same JSON.
 *
 * <pre>{@code
 * mvn -q -Pbench test-compile exec:exec@jmh -Djmh.args="CodecBenchmark"
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CodecBenchmark {
  private static final String KEY = Stage.key(1);
  private static final Optional<Duration> TTL = Optional.of(Stage.TTL);
  private static final OperationType TYPE = OperationCatalog.typeOf(KvOperation.Set.class);
  private static final MethodHandle WRITE;
  private static final MethodHandle READ;

  private final Operation<?> operation = new KvOperation.Set(KEY, Stage.VALUE, TTL, false);
  private final JsonObject json = write();
  private final String text = json.encode();

  static {
    try {
      Class<?> codec = Class.forName("io.runtimestate.eventbus.OperationJson");
      MethodHandles.Lookup inside = MethodHandles.privateLookupIn(codec, MethodHandles.lookup());
      Object form =
          inside
              .findStatic(codec, "of", MethodType.methodType(codec, OperationType.class))
              .invoke(TYPE);
      WRITE =
          inside
              .findVirtual(
                  codec, "writeCall", MethodType.methodType(JsonObject.class, Operation.class))
              .bindTo(form);
      READ =
          inside
              .findVirtual(codec, "readCall", MethodType.methodType(Operation.class, Object.class))
              .bindTo(form);
    } catch (Throwable changed) {
      throw new ExceptionInInitializerError(changed);
    }
  }

  @Benchmark
  public Object build() {
    return new KvOperation.Set(KEY, Stage.VALUE, TTL, false);
  }

  @Benchmark
  public JsonObject write() {
    try {
      return (JsonObject) WRITE.invoke(operation);
    } catch (Throwable failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Benchmark
  public Object read() throws Throwable {
    return READ.invoke((Object) json);
  }

  @Benchmark
  public String encodeText() {
    return json.encode();
  }

  @Benchmark
  public JsonObject parseText() {
    return new JsonObject(text);
  }
}
