package io.runtimestate.support;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One blocking RESP2 connection beside the library, to look at a server and to damage it. It shares
 * no code with what it checks. Not thread-safe.
 */
public final class RedisSide implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 10_000;

  private final Socket socket = new Socket();
  private final DataInputStream in;

  /** An error reply, with the server's text as message. */
  public static final class ReplyError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReplyError(String message) {
      super(message);
    }
  }

  private RedisSide(String host, int port) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  public static RedisSide open(int port) {
    return open("127.0.0.1", port);
  }

  public static RedisSide open(String host, int port) {
    try {
      return new RedisSide(host, port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opens {@code redis://[[user]:password@]host[:port][/db]}, signs in and selects. */
  public static RedisSide open(URI uri) {
    var side = open(uri.getHost(), uri.getPort() < 0 ? 6379 : uri.getPort());
    try {
      side.signIn(uri.getUserInfo());
      side.selectFrom(uri.getPath());
      return side;
    } catch (RuntimeException e) {
      side.close();
      throw e;
    }
  }

  private void signIn(String userInfo) {
    if (userInfo != null && !userInfo.isEmpty()) {
      int colon = userInfo.indexOf(':');
      auth(userInfo.substring(0, Math.max(colon, 0)), userInfo.substring(colon + 1));
    }
  }

  private void selectFrom(String path) {
    if (path != null && path.length() > 1) {
      select(Integer.parseInt(path.substring(1)));
    }
  }

  /** An empty user means the default one. */
  public RedisSide auth(String user, String password) {
    if (user.isEmpty()) {
      command("AUTH", password);
    } else {
      command("AUTH", user, password);
    }
    return this;
  }

  public RedisSide select(int database) {
    command("SELECT", Integer.toString(database));
    return this;
  }

  /** Sends and reads: String (status or text), Long, List or null; an error reply is thrown. */
  public Object command(String... args) {
    return texts(commandBytes(bytes(args)));
  }

  /** As {@link #command}, but texts come as {@code byte[]}; statuses stay strings. */
  public Object commandBytes(byte[]... args) {
    send(args);
    return thrown(read());
  }

  /** Sends without reading, for a command that is to stay open; {@link #read} takes its reply. */
  public void send(String... args) {
    send(bytes(args));
  }

  private void send(byte[]... args) {
    try {
      socket.getOutputStream().write(encode(args));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next reply; an error inside a list is a {@link ReplyError} element. */
  public Object read() {
    try {
      return readReply();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether nothing arrives for so long. A reply that does arrive is left to be read. */
  public boolean silentFor(Duration time) {
    try {
      socket.setSoTimeout((int) time.toMillis());
      in.mark(1);
      in.read();
      in.reset();
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      restoreTimeout();
    }
  }

  private void restoreTimeout() {
    try {
      socket.setSoTimeout(TIMEOUT_MILLIS);
    } catch (SocketException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The fields of {@code INFO section}. */
  public Map<String, String> info(String section) {
    return fields(((String) command("INFO", section)).split("\r\n"), ":");
  }

  /** One map per connection: id, addr, name, cmd, … */
  public List<Map<String, String>> clientList() {
    return ((String) command("CLIENT", "LIST"))
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> fields(line.trim().split(" "), "="))
        .collect(Collectors.toList());
  }

  /** How many connections the server has accepted since its start, this one included. */
  public long connectionsAccepted() {
    return Long.parseLong(info("stats").get("total_connections_received"));
  }

  /** How often a command ran, also inside scripts; {@code name} as the server writes it. */
  public long commandStat(String name) {
    String line = info("commandstats").get("cmdstat_" + name.toLowerCase());
    return line == null ? 0 : Long.parseLong(fields(line.split(","), "=").get("calls"));
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> fields(String[] parts, String separator) {
    var fields = new LinkedHashMap<String, String>();
    for (String part : parts) {
      int at = part.indexOf(separator);
      if (at > 0) {
        fields.put(part.substring(0, at), part.substring(at + 1));
      }
    }
    return fields;
  }

  private static byte[][] bytes(String... args) {
    return Arrays.stream(args).map(RedisSide::utf8).toArray(byte[][]::new);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] encode(byte[]... args) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(utf8("*" + args.length + "\r\n"));
    for (byte[] arg : args) {
      out.writeBytes(utf8("$" + arg.length + "\r\n"));
      out.writeBytes(arg);
      out.writeBytes(utf8("\r\n"));
    }
    return out.toByteArray();
  }

  private static Object thrown(Object reply) {
    if (reply instanceof ReplyError error) {
      throw error;
    }
    return reply;
  }

  private static Object texts(Object reply) {
    if (reply instanceof byte[] raw) {
      return new String(raw, StandardCharsets.UTF_8);
    }
    if (reply instanceof List<?> list) {
      // Not toList-of-non-null: a missing text is a null element.
      return list.stream().map(RedisSide::texts).collect(Collectors.toList());
    }
    return reply;
  }

  private Object readReply() throws IOException {
    int type = in.read();
    return switch (type) {
      case '+' -> line();
      case '-' -> new ReplyError(line());
      case ':' -> Long.parseLong(line());
      case '$' -> bulk(Integer.parseInt(line()));
      case '*' -> list(Integer.parseInt(line()));
      case -1 -> throw new EOFException("the server closed the connection");
      default -> throw new IOException("not RESP2: " + (char) type);
    };
  }

  private byte[] bulk(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(length);
    line();
    return bytes;
  }

  private List<Object> list(int size) throws IOException {
    if (size < 0) {
      return null;
    }
    var list = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      list.add(readReply());
    }
    return list;
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(StandardCharsets.UTF_8);
  }
}
