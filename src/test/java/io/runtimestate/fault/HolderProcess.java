package io.runtimestate.fault;

import io.runtimestate.RuntimeState;
import io.runtimestate.config.BackendMode;
import io.runtimestate.config.RuntimeStateOptions;
import io.runtimestate.data.LossReason;
import io.runtimestate.lease.AutoRenewedLease;
import io.runtimestate.lease.Permit;
import io.runtimestate.lease.Semaphore;
import io.runtimestate.lease.SemaphoreOptions;
import io.runtimestate.support.Await;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A process of its own that holds the lock {@code l} and permits of the gate {@code g}, to be
 * stopped and killed. It says what it knows when it reads a line.
 */
public final class HolderProcess implements AutoCloseable {
  static final Duration LEASE = Duration.ofMillis(1_500);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Process process;
  private final BufferedReader out;

  private HolderProcess(Process process) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Starts one; it holds everything when this returns. */
  static HolderProcess start(String uri, int permits, int limit) throws IOException {
    HolderProcess started =
        new HolderProcess(
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    HolderProcess.class.getName(),
                    uri,
                    Integer.toString(permits),
                    Integer.toString(limit))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    String line = started.out.readLine();
    if (line == null || !line.startsWith("holding")) {
      throw new AssertionError("it does not hold: " + line);
    }
    return started;
  }

  /** What it says of its lock, its permits and the losses it was told of. */
  String ask() throws IOException {
    var in = process.outputWriter(StandardCharsets.UTF_8);
    in.write("?");
    in.newLine();
    in.flush();
    return out.readLine();
  }

  void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    if (kill.waitFor() != 0) {
      throw new AssertionError("kill -" + name + " failed");
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  // ---- in the process ----

  public static void main(String[] args) throws IOException {
    Vertx vertx = Vertx.vertx();
    RuntimeStateOptions options = new RuntimeStateOptions().setBackend(BackendMode.REDIS);
    options.getRedis().setUrl(args[0]).setOpenTimeout(PATIENCE);
    RuntimeState state = Await.within(PATIENCE, RuntimeState.open(vertx, options));
    Queue<LossReason> losses = new ConcurrentLinkedQueue<>();
    AutoRenewedLease lock =
        Await.get(state.locks().hold("l", "child", LEASE, PATIENCE)).orElseThrow();
    lock.onLost(losses::add);
    List<Permit> permits = permits(state, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    permits.forEach(permit -> permit.onLost(losses::add));
    say("holding");
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (in.readLine() != null) {
      boolean held = lock.isHeld();
      long healthy = permits.stream().filter(Permit::isHealthy).count();
      Await.until(() -> held || losses.size() == 1 + permits.size(), "all losses are told");
      boolean released = Await.get(lock.release());
      say("held " + held + " healthy " + healthy + " released " + released + " " + losses);
    }
    System.exit(0);
  }

  private static List<Permit> permits(RuntimeState state, int number, int limit) {
    Semaphore semaphore =
        state
            .semaphores()
            .semaphore(
                new SemaphoreOptions("g", limit)
                    .setLeaseTtl(LEASE)
                    .setRenewInterval(LEASE.dividedBy(5)));
    List<Permit> permits = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      permits.add(Await.get(semaphore.tryAcquire()).orElseThrow());
    }
    return permits;
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
