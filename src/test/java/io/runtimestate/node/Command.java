package io.runtimestate.node;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The streams of a command that runs in this process. */
final class Command {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  PrintStream outStream() {
    return new PrintStream(out, true, StandardCharsets.UTF_8);
  }

  PrintStream errStream() {
    return new PrintStream(err, true, StandardCharsets.UTF_8);
  }

  int replay(String... args) {
    return new RequestReplay(outStream(), errStream()).run(args);
  }

  List<String> out() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  List<String> err() {
    return err.toString(StandardCharsets.UTF_8).lines().toList();
  }

  String lastOut() {
    return out().get(out().size() - 1);
  }
}
