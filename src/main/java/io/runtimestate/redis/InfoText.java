package io.runtimestate.redis;

import io.runtimestate.data.LaneDiagnostics;
import io.runtimestate.data.RedisDiagnostics;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The {@code name:value} lines of INFO. What is missing or cannot be read is absent. */
record InfoText(Map<String, String> fields) {
  private static final int BASIS_POINTS = 10_000;

  static InfoText parse(String text) {
    Map<String, String> fields = new HashMap<>();
    text.lines()
        .filter(line -> line.indexOf(':') > 0)
        .forEach(line -> fields.put(before(line), line.substring(before(line).length() + 1)));
    return new InfoText(fields);
  }

  /** Counts and sizes of several servers together; what is no integer is the largest. */
  static InfoText sum(List<InfoText> servers) {
    Map<String, String> all = new HashMap<>();
    servers.forEach(
        server -> server.fields.forEach((name, value) -> all.merge(name, value, InfoText::plus)));
    return new InfoText(all);
  }

  private static String plus(String a, String b) {
    try {
      return new BigInteger(a.trim()).add(new BigInteger(b.trim())).toString();
    } catch (NumberFormatException noInteger) {
      return larger(a, b);
    }
  }

  private static String larger(String a, String b) {
    try {
      return new BigDecimal(a.trim()).max(new BigDecimal(b.trim())).toString();
    } catch (NumberFormatException noNumber) {
      return a;
    }
  }

  private static String before(String line) {
    return line.substring(0, line.indexOf(':'));
  }

  Optional<String> text(String field) {
    return Optional.ofNullable(fields.get(field)).map(String::trim);
  }

  OptionalLong number(String field) {
    try {
      return text(field).map(Long::parseLong).map(OptionalLong::of).orElseGet(OptionalLong::empty);
    } catch (NumberFormatException unreadable) {
      return OptionalLong.empty();
    }
  }

  /** A ratio times 10 000. */
  OptionalLong basisPoints(String field) {
    try {
      return text(field).map(InfoText::basisPointsOf).orElseGet(OptionalLong::empty);
    } catch (ArithmeticException | NumberFormatException unreadable) {
      return OptionalLong.empty();
    }
  }

  private static OptionalLong basisPointsOf(String ratio) {
    BigDecimal scaled = new BigDecimal(ratio).multiply(BigDecimal.valueOf(BASIS_POINTS));
    return scaled.signum() < 0
        ? OptionalLong.empty()
        : OptionalLong.of(scaled.setScale(0, RoundingMode.HALF_UP).longValueExact());
  }

  RedisDiagnostics diagnostics(List<LaneDiagnostics> lanes) {
    return new RedisDiagnostics(
        number("connected_clients"),
        number("blocked_clients"),
        number("total_connections_received"),
        number("rejected_connections"),
        number("total_commands_processed"),
        number("instantaneous_ops_per_sec"),
        number("total_error_replies"),
        number("expired_keys"),
        number("evicted_keys"),
        number("keyspace_hits"),
        number("keyspace_misses"),
        number("used_memory"),
        number("maxmemory"),
        basisPoints("mem_fragmentation_ratio"),
        lanes);
  }
}
