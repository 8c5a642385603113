package io.runtimestate.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The parts of a server URL: {@code redis[s]://[[user]:password@]host[:port][/database]} or {@code
 * unix://[[user]:password@]/path}. A database may also be given as query {@code db=n}, for {@code
 * unix} the only way; any other query and the fragment are ignored.
 *
 * <p>User, password and path are percent-decoded once, after splitting. An {@code @} in query or
 * fragment must be written {@code %40}: a raw one there is almost always a password with an
 * unescaped {@code ?} or {@code #}, whose beginning would otherwise pass for a port.
 *
 * @param scheme {@code redis}, {@code rediss} (TLS) or {@code unix}
 * @param host name or address without brackets; empty for {@code unix}
 * @param port 1 to 65535; 0 for {@code unix}
 * @param path of the socket; empty unless {@code unix}
 * @param username absent when the URL has none or an empty one
 * @param password absent when the URL has none; possibly empty
 * @param database 0 or above
 */
public record RedisUrl(
    String scheme,
    String host,
    int port,
    String path,
    Optional<String> username,
    Optional<String> password,
    OptionalInt database) {

  /** The port of a URL that names none. */
  public static final int DEFAULT_PORT = 6379;

  static final String OPTION = "redis.url";

  /**
   * Reads a URL.
   *
   * @throws io.runtimestate.data.RuntimeStateException INVALID_CONFIGURATION when it is not one of
   *     the two forms; the message shows its length only
   */
  public static RedisUrl parse(String text) {
    return parse(OPTION, text);
  }

  static RedisUrl parse(String option, String text) {
    return tryParse(text).orElseThrow(() -> Rules.malformedUrl(option, text));
  }

  static Optional<RedisUrl> tryParse(String text) {
    return RedisUrlParser.parse(text);
  }

  /** What may be shown of any text that is meant as a URL; its length only if it is none. */
  static String display(String text) {
    return tryParse(text).map(RedisUrl::display).orElseGet(() -> Texts.lengthOf(text));
  }

  /** Whether the scheme asks for TLS. */
  public boolean isTls() {
    return scheme.equals("rediss");
  }

  /** Whether this is the path of a Unix domain socket. */
  public boolean isUnix() {
    return scheme.equals("unix");
  }

  /** Scheme, host, port (or path) and database, at most 512 characters; never a secret. */
  public String display() {
    String shownDatabase = database.isPresent() ? databaseSuffix(database.getAsInt()) : "";
    return Texts.cut(scheme + "://" + (isUnix() ? path : hostAndPort()) + shownDatabase);
  }

  /**
   * The URL without credentials, database, query and fragment, percent-encoded: where to connect.
   */
  public String address() {
    return isUnix() ? scheme + "://" + encodedPath() : scheme + "://" + hostAndPort();
  }

  /** The same as {@link #display()}. */
  @Override
  public String toString() {
    return display();
  }

  /** This place with other credentials and database. */
  RedisUrl with(Optional<String> newUser, Optional<String> newPassword, OptionalInt newDatabase) {
    return new RedisUrl(scheme, host, port, path, newUser, newPassword, newDatabase);
  }

  private String hostAndPort() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }

  private String databaseSuffix(int number) {
    return (isUnix() ? "?db=" : "/") + number;
  }

  private String encodedPath() {
    try {
      return new URI(null, null, path, null).toASCIIString();
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException("an absolute path is a legal URL path");
    }
  }
}
