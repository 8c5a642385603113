package io.runtimestate.node;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A generated request log, and what a limit admits of it: computed here, without a store. */
final class AdmissionLog {
  private final RequestLogFile file = new RequestLogFile();
  private final Map<String, List<Long>> admittedAt = new HashMap<>();
  private final Map<String, Long> bytes = new HashMap<>();
  private final int limit;
  private final int window;
  private int allowed;

  /** Requests of busy clients and of rare ones, over a time in which windows fill and empty. */
  AdmissionLog(int requests, int limit, int window) {
    this.limit = limit;
    this.window = window;
    Random random = new Random(11);
    long second = 1_431_857_100;
    for (int i = 0; i < requests; i++) {
      second += random.nextInt(3) == 0 ? 1 : 0;
      add(random.nextBoolean() ? "busy" + random.nextInt(4) : "c" + random.nextInt(90), second, i);
    }
  }

  private void add(String client, long second, long size) {
    file.add(client, second, size);
    List<Long> counted = admittedAt.computeIfAbsent(client, c -> new ArrayList<>());
    if (counted.stream().filter(at -> at > second - window).count() < limit) {
      counted.add(second);
      bytes.merge(client, size, Long::sum);
      allowed++;
    }
  }

  Path write(Path directory) {
    return file.write(directory);
  }

  long allowed() {
    return allowed;
  }

  long rejected() {
    return file.requests() - allowed;
  }

  long admittedBytes() {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  long bytesOf(String client) {
    return bytes.get(client);
  }

  /** The sizes of the ten largest, the largest first. */
  List<Long> top() {
    return bytes.values().stream().sorted((a, b) -> Long.compare(b, a)).limit(10).toList();
  }
}
