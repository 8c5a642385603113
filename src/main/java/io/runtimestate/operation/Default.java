package io.runtimestate.operation;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The value of an operation's field that is absent on the wire, written as JSON would write it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {
  /** A JSON literal: {@code 1}, {@code false}, {@code "+inf"} … */
  String value();
}
