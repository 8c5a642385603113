package io.runtimestate.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A request log that a test writes, and what is in it. */
final class RequestLogFile {
  private final List<String> lines = new ArrayList<>(List.of(RequestLog.HEADER));
  private final Map<String, String> statuses = new HashMap<>();
  private final Map<String, Integer> paths = new HashMap<>();

  /** Requests of a few busy clients and many that come once, always the same ones. */
  static RequestLogFile random(int requests) {
    RequestLogFile log = new RequestLogFile();
    Random random = new Random(7);
    for (int i = 0; i < requests; i++) {
      String client = random.nextBoolean() ? "busy" + random.nextInt(3) : "c" + random.nextInt(500);
      log.add(client, "/p/" + random.nextInt(200), random.nextInt(5) == 0 ? 404 : 200);
    }
    return log;
  }

  RequestLogFile add(String client, String path, int status) {
    statuses.put(client, Integer.toString(status));
    paths.merge(path, 1, Integer::sum);
    return addLine(String.join("\t", "1431857100", client, "GET", path, "" + status, "25"));
  }

  /** A request of a moment and a size. */
  RequestLogFile add(String client, long second, long bytes) {
    statuses.put(client, "200");
    paths.merge("/", 1, Integer::sum);
    return addLine(second + "\t" + client + "\tGET\t/\t200\t" + bytes);
  }

  RequestLogFile addLine(String line) {
    lines.add(line);
    return this;
  }

  int requests() {
    return lines.size() - 1;
  }

  int clients() {
    return statuses.size();
  }

  int paths() {
    return paths.size();
  }

  long lastStatus(int status) {
    return statuses.values().stream().filter(Integer.toString(status)::equals).count();
  }

  Path write(Path directory) {
    return write(directory, lines.toArray(String[]::new));
  }

  static Path write(Path directory, String... lines) {
    try {
      return Files.write(Files.createTempFile(directory, "requests", ".tsv"), Arrays.asList(lines));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
