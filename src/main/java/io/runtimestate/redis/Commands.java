package io.runtimestate.redis;

import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.Operation;
import io.runtimestate.spi.OperationTable;
import io.vertx.core.Future;
import io.vertx.redis.client.Response;
import java.util.function.BiFunction;
import java.util.function.Function;

/** What is sent for each operation. Most operations are one line: lane, command, reply. */
final class Commands {
  /** Carries out one operation. */
  interface Line<O, R> {
    Future<R> run(O operation, Call call);
  }

  private final OperationTable<Line<?, ?>> table = new OperationTable<>();

  Commands(Iterable<Family> families) {
    families.forEach(family -> family.register(this));
  }

  /** One command or script, one round trip. */
  <R, O extends Operation<R>> void on(
      Class<O> type,
      LaneKind lane,
      Function<? super O, RedisCommand> command,
      Function<Response, R> reply) {
    BiFunction<Response, Link, R> reader = (response, link) -> reply.apply(response);
    on(type, (operation, call) -> call.sendOnly(lane, command.apply(operation), reader));
  }

  /** Anything else. */
  <R, O extends Operation<R>> void on(Class<O> type, Line<? super O, R> line) {
    table.put(type, line);
  }

  @SuppressWarnings("unchecked") // on() pairs the class of an operation with its own line
  <R> Future<R> run(Operation<R> operation, Call call) {
    Line<Operation<R>, R> line = (Line<Operation<R>, R>) table.of(operation);
    try {
      return line == null
          ? call.fail(FailureCode.INTERNAL, "no handler")
          : line.run(operation, call);
    } catch (RuntimeStateException refused) {
      return call.caller().failedFuture(refused);
    } catch (RuntimeException defect) {
      call.ended();
      return call.caller().failedFuture(call.internal(defect));
    }
  }
}
