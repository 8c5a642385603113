package io.runtimestate.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Further ways for the redis door of all cases of a class, such as {@code cluster} or {@code
 * sentinel-resp2}: topology, protocol, and {@code limited} for the user of the README.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface AlsoOnRedis {
  /** The words of each way, joined by hyphens. */
  String[] value();
}
