package io.runtimestate.node;

import io.vertx.core.Future;
import java.util.concurrent.CompletionException;

/** For a command's own thread, which may wait. */
final class Waiting {
  private Waiting() {}

  /** The result; a failure is thrown as it is. */
  static <T> T on(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException known ? known : failed;
    }
  }
}
