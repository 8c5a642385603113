package io.runtimestate.redis;

import io.runtimestate.data.RuntimeStateException;
import io.runtimestate.spi.HashSlots;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Long lists in pieces of 1 000, in list order. Each piece is one step of the server; when a later
 * piece of a write fails, the earlier ones stay, and the failure says so.
 */
final class Chunks {
  static final int SIZE = 1_000;

  private Chunks() {}

  private static <T> List<List<T>> of(List<T> list, int size) {
    List<List<T>> pieces = new ArrayList<>();
    for (int from = 0; from < list.size(); from += size) {
      pieces.add(list.subList(from, Math.min(from + size, list.size())));
    }
    return pieces;
  }

  /**
   * Pieces within one slot each, many at once but not all: a long list has one for nearly every
   * slot.
   *
   * @param key the physical key of an element
   */
  static <T, R> Future<List<R>> bySlot(
      Call call, List<T> list, Function<T, String> key, Function<List<T>, Future<R>> send) {
    return inOrder(call, slotPieces(list, key), SIZE, some -> each(call, some, send))
        .map(answers -> answers.stream().flatMap(List::stream).toList());
  }

  private static <T, R> Future<List<R>> each(
      Call call, List<List<T>> pieces, Function<List<T>, Future<R>> send) {
    return together(call, pieces, 1, one -> send.apply(one.get(0)));
  }

  private static <T> List<List<T>> slotPieces(List<T> list, Function<T, String> key) {
    Map<Integer, List<T>> slots =
        list.stream()
            .collect(
                Collectors.groupingBy(
                    each -> HashSlots.of(key.apply(each)),
                    LinkedHashMap::new,
                    Collectors.toList()));
    return slots.values().stream().flatMap(slot -> of(slot, SIZE).stream()).toList();
  }

  /** All pieces at once. */
  static <T, R> Future<List<R>> together(
      Call call, List<T> list, Function<List<T>, Future<R>> send) {
    return together(call, list, SIZE, send);
  }

  /** All pieces of that size at once. */
  static <T, R> Future<List<R>> together(
      Call call, List<T> list, int size, Function<List<T>, Future<R>> send) {
    List<List<T>> pieces = of(list, size);
    return pieces.isEmpty()
        ? call.answer(List.of())
        : gathered(call, pieces.stream().map(send).toList());
  }

  private static <R> Future<List<R>> gathered(Call call, List<Future<R>> pieces) {
    Promise<List<R>> all = call.promise();
    Future.join(pieces)
        .onComplete(
            done -> all.complete(pieces.stream().map(Future::result).toList()),
            failed -> all.fail(ofSome(call, pieces)));
    return all.future();
  }

  /** The first failure; others may have been carried out. */
  private static <R> RuntimeStateException ofSome(Call call, List<Future<R>> pieces) {
    Throwable first = pieces.stream().filter(Future::failed).findFirst().orElseThrow().cause();
    return call.flagged(first, pieces.stream().anyMatch(Future::succeeded));
  }

  /** One piece after the other. */
  static <T, R> Future<List<R>> inOrder(
      Call call, List<T> list, Function<List<T>, Future<R>> send) {
    return inOrder(call, list, SIZE, send);
  }

  /** One piece of that size after the other. */
  static <T, R> Future<List<R>> inOrder(
      Call call, List<T> list, int size, Function<List<T>, Future<R>> send) {
    if (list.size() <= size) {
      return list.isEmpty()
          ? call.answer(List.of())
          : send.apply(list).map(Collections::singletonList);
    }
    Promise<List<R>> all = call.promise();
    next(call, of(list, size).iterator(), send, new ArrayList<>(), all);
    return all.future();
  }

  private static <T, R> void next(
      Call call,
      Iterator<List<T>> pieces,
      Function<List<T>, Future<R>> send,
      List<R> results,
      Promise<List<R>> all) {
    if (pieces.hasNext()) {
      send.apply(pieces.next())
          .onComplete(
              result -> {
                results.add(result);
                next(call, pieces, send, results, all);
              },
              failure -> all.fail(call.flagged(failure, !results.isEmpty())));
    } else {
      all.complete(results);
    }
  }
}
