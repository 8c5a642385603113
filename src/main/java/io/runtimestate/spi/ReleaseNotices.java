package io.runtimestate.spi;

/**
 * Tells of releases by others. It is a help and no promise: a notice can be lost, come twice or for
 * nothing, so whoever listens must find out sooner or later without one. Releases through the same
 * handle on the store are not told of; whoever sends them knows. Any thread may call.
 */
public interface ReleaseNotices {
  /** Never tells anything. */
  ReleaseNotices NONE =
      new ReleaseNotices() {
        @Override
        public void listen(Contended place, Runnable released) {}

        @Override
        public void unlisten(Contended place) {}
      };

  /**
   * Begins to listen; whoever listened for the same before does not any more.
   *
   * @param released told when somebody else may have released it, also when that could have gone
   *     unheard until now; by any thread, so it must be short
   */
  void listen(Contended place, Runnable released);

  /** Stops listening. Does nothing if nobody listens. */
  void unlisten(Contended place);
}
