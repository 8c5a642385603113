package io.runtimestate.soak;

import io.runtimestate.RuntimeState;
import java.util.Random;

/** Where the messages of a soak are, and the harm that can be done to it. */
interface SoakStore extends AutoCloseable {
  /** What a process of the soak reaches the store through. */
  interface Access {
    RuntimeState state();

    /** Breaks what is on its way, and nothing else. */
    void cut(Random random);

    /** Breaks nothing from now on. */
    void heal();

    /** As the end of a process by force: nothing more is said or heard. */
    void kill();

    /** Gives the access back, in good order. */
    void close();
  }

  String name();

  Access open();

  /** An access that is never harmed. */
  RuntimeState audit();

  /** Whether the store always counts lag exactly. */
  boolean countsExactly();

  /** Ends the server and starts it again with its data; whether there is one. */
  boolean restart(Random random);

  @Override
  void close();
}
