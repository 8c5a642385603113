package io.runtimestate.model;

import io.runtimestate.RuntimeState;
import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.operation.KeyOperation;
import io.runtimestate.operation.Operation;
import io.runtimestate.support.Await;
import io.vertx.core.Future;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** One store of a comparison: it knows the ids of its entries by stream and position. */
final class QueueStore {
  /** The ids of one stream; two streams may give the same ones. */
  private static final class Entries {
    private final List<String> ids = new ArrayList<>();
    private final Map<String, Integer> positions = new HashMap<>();

    /** To render arguments with: their ids may be another stream's and must not be learned here. */
    private Entries copy() {
      Entries copy = new Entries();
      copy.ids.addAll(ids);
      copy.positions.putAll(positions);
      return copy;
    }
  }

  private static final String ID = "(0|[1-9][0-9]*)-(0|[1-9][0-9]*)";
  private static final String NOWHERE = "7-7";

  private final RuntimeState state;
  private final String space;
  private final Map<String, Entries> entries = new HashMap<>();
  private String lastCall = "";

  QueueStore(RuntimeState state, String space) {
    this.state = state;
    this.space = space;
  }

  /** A name in this history's space. */
  String named(String name) {
    return space + name;
  }

  /** The id at that position of a stream; one that was never given beyond them. */
  String id(String stream, int position) {
    List<String> ids = of(stream).ids;
    return position < ids.size() ? ids.get(position) : NOWHERE;
  }

  int size(String stream) {
    return of(stream).ids.size();
  }

  private Entries of(String stream) {
    return entries.computeIfAbsent(stream, name -> new Entries());
  }

  String lastCall() {
    return lastCall;
  }

  /**
   * Makes the call and tells the answer, every id by its position and without any time.
   *
   * @param answering the stream that the ids of the answer belong to
   */
  String call(String answering, Operation<?> operation) {
    Future<String> answer =
        state
            .execute(operation)
            .map(result -> text(of(answering), result))
            .otherwise(failure -> code(failure));
    String text = Await.get(answer);
    lastCall = operation.name() + parts(of(answering).copy(), operation);
    return text;
  }

  private static String code(Throwable failure) {
    return failure instanceof RuntimeStateException known
        ? known.code() + (known.mayHaveBeenApplied() ? " applied" : "")
        : failure.toString();
  }

  void clear() {
    Await.get(
        state.execute(
            new KeyOperation.DeleteMany(List.of(named(QueueSteps.ONE), named(QueueSteps.OTHER)))));
  }

  private String text(Entries in, Object value) {
    if (value instanceof String text) {
      return text.matches(ID) ? position(in, text) : text.replace(space, "");
    }
    if (value instanceof Optional<?> optional) {
      return optional.map(present -> text(in, present)).orElse("-");
    }
    if (value instanceof List<?> list) {
      return list.stream().map(element -> text(in, element)).toList().toString();
    }
    if (value instanceof Duration) {
      return "~";
    }
    return value instanceof Record
        ? value.getClass().getSimpleName() + parts(in, value)
        : "" + value;
  }

  /** An id that was not seen before is the next one. */
  private static String position(Entries in, String id) {
    if (id.equals("0-0") || id.equals(NOWHERE)) {
      return id;
    }
    Integer known = in.positions.get(id);
    if (known == null) {
      known = in.ids.size();
      in.positions.put(id, known);
      in.ids.add(id);
    }
    return "#" + known;
  }

  private String parts(Entries in, Object of) {
    return Arrays.stream(of.getClass().getRecordComponents())
        .map(component -> component.getName() + "=" + text(in, read(component, of)))
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private static Object read(RecordComponent component, Object of) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
