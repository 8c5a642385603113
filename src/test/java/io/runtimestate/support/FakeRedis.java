package io.runtimestate.support;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * A server that says what a script tells it to: for handshakes, refusals, garbage and versions no
 * real server here would give.
 */
public final class FakeRedis implements AutoCloseable {

  private final NetServer server;
  private final Function<List<String>, String> script;
  private final List<List<String>> requests = new CopyOnWriteArrayList<>();
  private final Set<NetSocket> sockets = ConcurrentHashMap.newKeySet();

  private FakeRedis(Vertx vertx, Function<List<String>, String> script) {
    this.script = script;
    server = vertx.createNetServer().connectHandler(this::serve);
  }

  /** The script maps a command's words to the raw reply, or to null for silence. */
  public static FakeRedis start(Vertx vertx, Function<List<String>, String> script) {
    var fake = new FakeRedis(vertx, script);
    Await.get(fake.server.listen(0, "127.0.0.1"));
    return fake;
  }

  /** Answers the handshake as Redis of that version would and leaves the rest to the script. */
  public static Function<List<String>, String> polite(
      String version, Function<List<String>, String> script) {
    return request ->
        switch (request.get(0).toUpperCase(Locale.ROOT)) {
          case "HELLO" -> hello(version);
          case "AUTH", "SELECT" -> ok();
          case "PING" -> "+PONG\r\n";
          default -> script.apply(request);
        };
  }

  /** The RESP3 answer to HELLO. */
  public static String hello(String version) {
    return "%4\r\n"
        + (bulk("server") + bulk("redis") + bulk("version") + bulk(version))
        + (bulk("proto") + integer(3) + bulk("role") + bulk("master"));
  }

  public static String ok() {
    return "+OK\r\n";
  }

  /** The text starts with the code: {@code OOM command not allowed}. */
  public static String error(String text) {
    return "-" + text + "\r\n";
  }

  public static String integer(long value) {
    return ":" + value + "\r\n";
  }

  public static String bulk(String text) {
    return "$" + text.getBytes(StandardCharsets.UTF_8).length + "\r\n" + text + "\r\n";
  }

  /** An array of replies that are raw already. */
  public static String array(String... replies) {
    return "*" + replies.length + "\r\n" + String.join("", replies);
  }

  /** Every command received so far, in order. */
  public List<List<String>> requests() {
    return List.copyOf(requests);
  }

  /** How many connections are open now. */
  public int open() {
    return sockets.size();
  }

  /** Sends raw text that nobody asked for to every connection. */
  public void push(String raw) {
    sockets.forEach(socket -> socket.write(raw));
  }

  /** Closes every connection in good order. */
  public void hangUp() {
    sockets.forEach(NetSocket::close);
  }

  public int port() {
    return server.actualPort();
  }

  public String uri() {
    return "redis://127.0.0.1:" + port();
  }

  @Override
  public void close() {
    Await.get(server.close());
  }

  private void serve(NetSocket socket) {
    sockets.add(socket);
    socket.closeHandler(closed -> sockets.remove(socket));
    var unread = new Unread();
    socket.handler(bytes -> unread.add(bytes, socket));
  }

  private void answer(List<String> request, NetSocket socket) {
    requests.add(request);
    String reply = script.apply(request);
    if (reply != null) {
      socket.write(reply);
    }
  }

  /** What one connection has sent and no whole command covers yet. */
  private final class Unread {
    private Buffer bytes = Buffer.buffer();

    void add(Buffer more, NetSocket socket) {
      bytes.appendBuffer(more);
      int from = 0;
      for (int end = next(from); end > 0; end = next(from)) {
        answer(Resp.args(bytes, from), socket);
        from = end;
      }
      bytes = bytes.getBuffer(from, bytes.length());
    }

    private int next(int from) {
      return from < bytes.length() ? Resp.end(bytes, from) : -1;
    }
  }
}
