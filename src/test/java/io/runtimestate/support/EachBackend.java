package io.runtimestate.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs once for each way to a store, with a {@link Fixture} as its parameter. After
 * each run everything it opened is closed and every future it was given must have completed.
 *
 * <p>The system property {@code runtimestate.doors}, such as {@code memory,bus}, leaves out the
 * others while one develops.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(EachBackendExtension.class)
public @interface EachBackend {
  /** The ways this case is meant for; all of them unless the case says otherwise. */
  DoorKind[] value() default {DoorKind.MEMORY, DoorKind.REDIS, DoorKind.BUS};
}
