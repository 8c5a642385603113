package io.runtimestate.operation;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * One line of the catalogue.
 *
 * @param ordinal position in the catalogue, from 0 without gaps
 * @param name the dotted name
 * @param recordClass the record of the operation
 * @param kind what a repeat does
 * @param refusal which results count as a refusal
 * @param resultType the generic type of the result, taken from the record's superinterface
 */
public record OperationType(
    int ordinal,
    String name,
    Class<? extends Operation<?>> recordClass,
    OperationKind kind,
    Predicate<Object> refusal,
    Type resultType) {

  /** The part of the name before the dot. */
  public String family() {
    return name.substring(0, name.indexOf('.'));
  }

  /** Whether a result of this operation is a refusal. */
  public boolean isRefusal(Object result) {
    return refusal.test(result);
  }

  static Type resultOf(Class<?> recordClass) {
    return Arrays.stream(recordClass.getGenericInterfaces())
        .filter(ParameterizedType.class::isInstance)
        .map(type -> ((ParameterizedType) type).getActualTypeArguments()[0])
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(recordClass + " names no result type"));
  }
}
