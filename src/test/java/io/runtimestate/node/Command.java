package io.runtimestate.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.runtimestate.config.RuntimeStateOptions;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /** What a replay that must succeed counted. */
  JsonObject replayed(Path log, RuntimeStateOptions options, String... args) {
    try {
      Path conf = Files.createTempFile(log.getParent(), "conf", ".json");
      Files.writeString(conf, options.toJsonWithSecrets().encode());
      List<String> all = new ArrayList<>(List.of(log.toString(), "--conf", conf.toString()));
      all.addAll(List.of(args));
      assertThat(replay(all.toArray(String[]::new))).as("%s", err()).isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new JsonObject(lastOut());
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
