package io.runtimestate.support;

/** Where a test server runs. Everything returns when it has happened. */
interface RedisHost {

  String hostName();

  int port();

  /** What follows the port in its address: a database somebody chose, or nothing. */
  default String path() {
    return "";
  }

  /** Starts it, also again after {@link #stop} or {@link #kill}, always on the same port. */
  void start();

  /** Ends it in good order, without saving. */
  void stop();

  /** Ends it as a power cut would. */
  void kill();

  /** Freezes it: sockets stay open, nothing is answered. */
  void pause();

  void resume();

  /** Removes what a SAVE has written, so that the next start is empty. */
  void forgetData();

  /** Ends it and removes its files. */
  void close();
}
