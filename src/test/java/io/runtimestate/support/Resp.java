package io.runtimestate.support;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** Finds whole RESP2 and RESP3 values in bytes that may end anywhere. */
final class Resp {

  private Resp() {}

  /** The index behind the value that starts at {@code from}, or -1 if it is not complete yet. */
  static int end(Buffer bytes, int from) {
    int body = lineEnd(bytes, from);
    if (body < 0) {
      return -1;
    }
    return switch (bytes.getByte(from)) {
      case '$', '=', '!' -> bulkEnd(bytes, body, number(bytes, from, body));
      case '*', '~', '>' -> elementsEnd(bytes, body, number(bytes, from, body));
      case '%' -> elementsEnd(bytes, body, 2 * number(bytes, from, body));
      default -> body;
    };
  }

  /** A push is no answer to anything. */
  static boolean isReply(Buffer bytes, int from) {
    return bytes.getByte(from) != '>';
  }

  /** The texts of the array of bulk strings that starts at {@code from}: a command. */
  static List<String> args(Buffer bytes, int from) {
    int at = lineEnd(bytes, from);
    int count = number(bytes, from, at);
    var args = new ArrayList<String>(count);
    for (int i = 0; i < count; i++) {
      int body = lineEnd(bytes, at);
      int length = number(bytes, at, body);
      args.add(bytes.getString(body, body + length));
      at = body + length + 2;
    }
    return args;
  }

  private static int bulkEnd(Buffer bytes, int body, int length) {
    int end = length < 0 ? body : body + length + 2;
    return end <= bytes.length() ? end : -1;
  }

  private static int elementsEnd(Buffer bytes, int body, int count) {
    int at = body;
    for (int i = 0; i < count && at >= 0; i++) {
      at = end(bytes, at);
    }
    return at;
  }

  private static int number(Buffer bytes, int from, int body) {
    return Integer.parseInt(bytes.getString(from + 1, body - 2));
  }

  private static int lineEnd(Buffer bytes, int from) {
    for (int i = from + 1; i < bytes.length(); i++) {
      if (bytes.getByte(i) == '\n' && bytes.getByte(i - 1) == '\r') {
        return i + 1;
      }
    }
    return -1;
  }
}
