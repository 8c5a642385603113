package io.runtimestate.operation;

/**
 * A call as a value: what to do, with checked arguments, and the type of its result.
 *
 * <p>Implementations are records, grouped in sealed families. A violated argument rule is a {@link
 * io.runtimestate.data.RuntimeStateException} with code {@code INVALID_INPUT} from the constructor.
 * {@code toString()} is the name of the operation and never shows arguments.
 *
 * @param <R> the result
 */
public sealed interface Operation<R>
    permits KvOperation,
        KeyOperation,
        SetOperation,
        ScoreOperation,
        RateOperation,
        UsageOperation,
        QueueOperation,
        LockOperation,
        SemaphoreOperation,
        SystemOperation {
  /** The stable dotted name, such as {@code kv.set}: bus address, metric tag and catalogue key. */
  default String name() {
    return OperationCatalog.typeOf(this).name();
  }
}
