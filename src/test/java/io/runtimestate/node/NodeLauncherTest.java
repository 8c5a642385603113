package io.runtimestate.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeLauncherTest {
  private static final int TERMINATED = 128 + 15;

  /** A process of its own, since only a process can be told to end. */
  @Test
  void node_runsUntilItIsStopped() throws Exception {
    Process node = start();
    try (BufferedReader out = reader(node)) {
      List<String> said = greeting(out);
      assertThat(said.get(0)).contains("memory backend");
      assertThat(said).anyMatch(line -> line.contains("runtime-state.kv.increment"));
      assertThat(said).anyMatch(line -> line.contains("\"up\":true"));
      node.toHandle().destroy(); // unlike destroy(), it leaves the streams open
      assertThat(node.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(node.exitValue()).isEqualTo(TERMINATED);
      assertThat(out.lines().collect(Collectors.toList())).as("said while it ended").isEmpty();
    } finally {
      node.destroyForcibly();
    }
  }

  private static List<String> greeting(BufferedReader out) throws IOException {
    List<String> said = new ArrayList<>();
    String line = out.readLine();
    while (line != null && !line.contains("Ctrl-C")) {
      said.add(line);
      line = out.readLine();
    }
    return said;
  }

  private static Process start() throws IOException {
    ProcessBuilder node =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            NodeLauncher.class.getName());
    node.environment().keySet().removeIf(name -> name.matches(".*(REDIS_URL|RUNTIME_STATE_).*"));
    return node.redirectErrorStream(true).start();
  }

  private static BufferedReader reader(Process node) {
    return new BufferedReader(new InputStreamReader(node.getInputStream(), StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      textBlock =
          """
          none.json                                   | -conf must name a JSON file
          {"backend":"disk"}                          | backend must be
          {"memory":{"maxValues":0}}                  | memory.maxValues must be above 0
          {"colour":"blue"}                           | unknown option colour
          {"backend":"redis"}                         | backend redis needs redis.url
          {"redis":{"url":"redis://127.0.0.1:1"}}     | UNAVAILABLE
          """,
      delimiter = '|')
  void node_cannotStart(String conf, String why) {
    Command command = new Command();
    String[] args = {"-conf", conf};
    NodeHooks hooks = new NodeHooks(args, command.outStream(), command.errStream());
    assertThat(new NodeApplication(args, hooks).launch()).isPositive();
    assertThat(command.out()).isEmpty();
    assertThat(command.err())
        .singleElement()
        .asString()
        .startsWith("runtime-state: ")
        .contains(why);
  }
}
