package io.runtimestate.memory.table;

/** The types of the data tier; a key has one of them. */
public enum DataType {
  /** A text. */
  VALUE,
  /** Unique members. */
  SET,
  /** Members ordered by score. */
  SCORE,
  /** Entries ordered by id, with consumer groups. */
  STREAM
}
