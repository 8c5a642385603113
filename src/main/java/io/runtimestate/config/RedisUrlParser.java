package io.runtimestate.config;

import io.runtimestate.data.Blank;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits a URL and decodes its parts. Not {@link URI}, which refuses passwords that people write
 * (with {@code %} escaped but {@code ^} or {@code |} raw) and quotes the whole URL in its message.
 */
final class RedisUrlParser {
  private static final Pattern URL =
      Pattern.compile(
          "(?<scheme>rediss?|unix):(?://(?<authority>[^/?#]*))?(?<path>[^?#]*)"
              + "(?:\\?(?<query>[^#]*))?(?:#(?<fragment>.*))?",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(?:\\[(?<address>[^\\[\\]]+)]|(?<name>[^:\\[\\]]+))(?::(?<port>\\d{1,5}))?");
  private static final Pattern DATABASE = Pattern.compile("\\d{1,9}");

  private final String scheme;
  private final String userInfo;
  private final String place;
  private final String path;
  private final String query;

  private RedisUrlParser(Matcher url) {
    String authority = Optional.ofNullable(url.group("authority")).orElse("");
    int at = authority.lastIndexOf('@');
    scheme = url.group("scheme").toLowerCase(Locale.ROOT);
    userInfo = at < 0 ? "" : authority.substring(0, at);
    place = authority.substring(at + 1);
    path = url.group("path");
    query = Optional.ofNullable(url.group("query")).orElse("");
    require(!query.contains("@") && !String.valueOf(url.group("fragment")).contains("@"));
  }

  static Optional<RedisUrl> parse(String text) {
    try {
      require(text != null && text.chars().noneMatch(RedisUrlParser::isForbidden));
      Matcher url = URL.matcher(text);
      require(url.matches());
      return Optional.of(new RedisUrlParser(url).parse());
    } catch (IllegalUrl illegal) {
      return Optional.empty();
    }
  }

  private RedisUrl parse() {
    return scheme.equals("unix") ? unix() : server();
  }

  private RedisUrl unix() {
    require(place.isEmpty() && path.startsWith("/") && path.length() > 1);
    return new RedisUrl(scheme, "", 0, decode(path), username(), password(), queryDatabase());
  }

  private RedisUrl server() {
    Matcher parts = HOST_AND_PORT.matcher(place);
    require(parts.matches() && isHost(place));
    String name = parts.group("name");
    String host = name != null ? name : parts.group("address");
    return new RedisUrl(scheme, host, port(parts), "", username(), password(), database());
  }

  private static int port(Matcher parts) {
    String digits = parts.group("port");
    int port = digits == null ? RedisUrl.DEFAULT_PORT : Integer.parseInt(digits);
    require(port >= 1 && port <= 65_535);
    return port;
  }

  /**
   * The Redis client hands its URL to {@link URI} and fails later when that finds no host (in a
   * name with an underscore, for one), so such a name is refused here.
   */
  private static boolean isHost(String place) {
    try {
      return new URI("redis://" + place).getHost() != null;
    } catch (URISyntaxException noHost) {
      return false;
    }
  }

  private Optional<String> username() {
    int colon = userInfo.indexOf(':');
    String user = colon < 0 ? userInfo : userInfo.substring(0, colon);
    return user.isEmpty() ? Optional.empty() : Optional.of(decode(user));
  }

  private Optional<String> password() {
    int colon = userInfo.indexOf(':');
    return colon < 0 ? Optional.empty() : Optional.of(decode(userInfo.substring(colon + 1)));
  }

  private OptionalInt database() {
    return path.length() <= 1 ? queryDatabase() : OptionalInt.of(number(path.substring(1)));
  }

  private OptionalInt queryDatabase() {
    return Arrays.stream(query.split("&"))
        .filter(parameter -> parameter.startsWith("db="))
        .mapToInt(parameter -> number(parameter.substring("db=".length())))
        .findFirst();
  }

  private static int number(String digits) {
    require(DATABASE.matcher(digits).matches());
    return Integer.parseInt(digits);
  }

  private static boolean isForbidden(int c) {
    return Blank.isWhiteSpace(c) || Character.isISOControl(c);
  }

  private static String decode(String text) {
    byte[] raw = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer decoded = ByteBuffer.allocate(raw.length);
    for (int i = 0; i < raw.length; i++) {
      boolean escaped = raw[i] == '%';
      decoded.put(escaped ? escaped(raw, i) : raw[i]);
      i += escaped ? 2 : 0;
    }
    return utf8(decoded.flip());
  }

  private static byte escaped(byte[] raw, int at) {
    require(at + 2 < raw.length);
    int high = Character.digit(raw[at + 1], 16);
    int low = Character.digit(raw[at + 2], 16);
    require(high >= 0 && low >= 0);
    return (byte) (high << 4 | low);
  }

  private static String utf8(ByteBuffer bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException notUtf8) {
      throw new IllegalUrl();
    }
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalUrl();
    }
  }

  /** Carries nothing on purpose: whatever it could tell is part of a URL that may hold secrets. */
  private static final class IllegalUrl extends RuntimeException {
    private static final long serialVersionUID = 1L;

    IllegalUrl() {
      super(null, null, false, false);
    }
  }
}
