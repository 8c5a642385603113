package io.runtimestate.redis;

import static io.runtimestate.data.FailureCode.INVALID_CONFIGURATION;
import static io.runtimestate.data.FailureCode.TIMED_OUT;
import static io.runtimestate.data.FailureCode.UNAVAILABLE;

import io.runtimestate.config.RedisUrl;
import io.runtimestate.data.FailureCode;
import io.runtimestate.data.RuntimeStateException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * Why there is no connection, said so that somebody can act on it: with the option to look at, and
 * without anything a server, a certificate or a library wrote.
 *
 * <p>A server that wants TLS and one that wants none cannot tell the client so: the one closes the
 * connection, the other waits for the end of a line. Such messages ask about the scheme.
 */
final class ConnectErrors {
  private static final int DEEPEST = 10;

  private ConnectErrors() {}

  /**
   * @param server where the connection was to lead
   */
  static RuntimeStateException of(Throwable failure, RedisUrl server, long timeoutMillis) {
    if (failure instanceof RuntimeStateException known) {
      return known;
    } else if (failure instanceof TimeoutException) {
      String hint = server.isTls() ? "; does this port speak TLS?" : "";
      return failure(TIMED_OUT, "not connected within " + timeoutMillis + " ms" + hint, server);
    } else if (ServerErrors.isReply(failure)) {
      return ServerErrors.ofHandshake(failure.getMessage(), server.display());
    } else {
      return unanswered(failure, server);
    }
  }

  private static RuntimeStateException unanswered(Throwable failure, RedisUrl server) {
    if (isAbout(failure, CertificateException.class, CertPathValidatorException.class)
        || isAbout(failure, CertPathBuilderException.class)) {
      return failure(INVALID_CONFIGURATION, certificate(failure), server);
    } else if (failure instanceof SSLException) {
      return failure(UNAVAILABLE, "the TLS handshake failed: " + nameOf(failure), server);
    } else if (failure instanceof IOException) {
      return failure(UNAVAILABLE, "cannot connect: " + nameOf(failure), server);
    } else if (failure instanceof UncheckedIOException lost) {
      return failure(UNAVAILABLE, lost.getCause().getMessage(), server);
    } else {
      return isLocal(failure) ? unusable(failure, server) : closed(server);
    }
  }

  /** Whether nothing was sent, as the client cannot work with the settings. */
  private static boolean isLocal(Throwable failure) {
    return failure instanceof RuntimeException || failure instanceof GeneralSecurityException;
  }

  private static RuntimeStateException closed(RedisUrl server) {
    String question =
        server.isTls()
            ? "does the server ask for another client certificate in redis.tls?"
            : "does the server expect TLS, which is scheme rediss?";
    return failure(
        UNAVAILABLE, "the connection was closed during the handshake; " + question, server);
  }

  private static RuntimeStateException unusable(Throwable failure, RedisUrl server) {
    String option = server.isTls() ? "redis.tls" : "redis.url";
    return failure(INVALID_CONFIGURATION, option + " cannot be used: " + nameOf(failure), server);
  }

  private static String certificate(Throwable failure) {
    boolean otherHost =
        causes(failure).map(cause -> cause.getMessage() + "").anyMatch(ConnectErrors::isHostName);
    return otherHost
        ? "the server's certificate is not for this host name: redis.url must have a name in it"
        : "the server's certificate is not valid or its authority is not trusted, see redis.tls";
  }

  /** The words of the JDK, which has no class for it. */
  private static boolean isHostName(String text) {
    return text.startsWith("No name matching") || text.startsWith("No subject alternative");
  }

  private static RuntimeStateException failure(FailureCode code, String reason, RedisUrl server) {
    return new RuntimeStateException(
        code, "open: " + reason + " (" + server.display() + ")", false, null);
  }

  private static boolean isAbout(Throwable failure, Class<?>... kinds) {
    return causes(failure)
        .anyMatch(cause -> Stream.of(kinds).anyMatch(kind -> kind.isInstance(cause)));
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause).limit(DEEPEST);
  }

  /** That of the JDK, if Netty has only added the address to it. */
  private static String nameOf(Throwable failure) {
    String name = failure.getClass().getSimpleName();
    return name.replaceFirst("^Annotated", "");
  }
}
