package io.runtimestate.model;

/** Makes random steps of one family of operations. */
interface Family {
  Step next(Vocabulary words);
}
