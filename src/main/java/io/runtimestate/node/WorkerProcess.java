package io.runtimestate.node;

import io.runtimestate.config.RuntimeStateOptions;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A worker in a process of its own. */
final class WorkerProcess implements CrewMember {
  private static final long PATIENCE_SECONDS = 15;

  private final String name;
  private final Process process;
  private final BufferedReader out;
  private volatile boolean killed;

  private WorkerProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
  }

  static WorkerProcess start(RuntimeStateOptions options, WorkOrder order) {
    try {
      Process process =
          new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedWriter in = process.outputWriter(StandardCharsets.UTF_8);
      in.write(ReplayWorker.instruction(options, order));
      in.newLine();
      in.flush();
      return new WorkerProcess(order.consumer(), process);
    } catch (IOException failure) {
      throw new NodeFailure("cannot start a worker process");
    }
  }

  private static List<String> command() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1", // it lives for seconds
        "-cp",
        classPath(),
        ReplayWorker.class.getName());
  }

  /**
   * Maven's exec:java runs this class off a loader of its own, and not off the JVM's class path.
   */
  private static String classPath() {
    if (!(WorkerProcess.class.getClassLoader() instanceof URLClassLoader loader)) {
      return System.getProperty("java.class.path");
    }
    List<String> entries = new ArrayList<>();
    for (URL url : loader.getURLs()) {
      entries.add(file(url));
    }
    return String.join(File.pathSeparator, entries);
  }

  private static String file(URL url) {
    try {
      return Path.of(url.toURI()).toString();
    } catch (URISyntaxException strange) {
      throw new NodeFailure("the class path has an entry that is no file");
    }
  }

  @Override
  public void awaitReady() {
    NodeFailure.unless(says(ReplayWorker.READY), name + " did not start");
  }

  /** Waits until it says a line, or has ended and will not say it. */
  private boolean says(String expected) {
    try {
      String line = out.readLine();
      while (line != null && !line.equals(expected)) {
        line = out.readLine();
      }
      return line != null;
    } catch (IOException ended) {
      return false;
    }
  }

  /** Kills it, with the signal that no process can handle, as soon as it holds what it counts. */
  void killOnceItHolds() {
    Thread thread = new Thread(this::awaitHoldingAndKill, "replay-kill");
    thread.setDaemon(true);
    thread.start();
  }

  private void awaitHoldingAndKill() {
    if (says(ReplayWorker.HOLDING)) {
      process.destroyForcibly();
      killed = true;
    }
  }

  boolean isKilled() {
    return killed;
  }

  @Override
  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    try {
      process.outputWriter(StandardCharsets.UTF_8).close();
      if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (IOException gone) {
      // it has ended, or will not listen
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
