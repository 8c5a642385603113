package io.runtimestate.support;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** All that one tree of loggers says from a level on, with its stack traces, until closed. */
public final class RecordedLog implements AutoCloseable {
  private final Logger root;
  private final Level levelBefore;
  private final boolean parentsBefore;
  private final StringWriter text = new StringWriter();
  private final Recorder recorder = new Recorder();

  private RecordedLog(Level level, String name) {
    root = Logger.getLogger(name);
    levelBefore = root.getLevel();
    parentsBefore = root.getUseParentHandlers();
    recorder.setLevel(level);
    root.setLevel(level);
    root.setUseParentHandlers(false);
    root.addHandler(recorder);
  }

  /**
   * Starts to record, and keeps it from the console meanwhile.
   *
   * @param name of the loggers and all below, empty for those of every library
   */
  public static RecordedLog at(Level level, String name) {
    return new RecordedLog(level, name);
  }

  public synchronized String text() {
    return text.toString();
  }

  private synchronized void add(LogRecord entry) {
    PrintWriter out = new PrintWriter(text);
    out.println(entry.getLoggerName() + ": " + new SimpleFormatter().formatMessage(entry));
    if (entry.getThrown() != null) {
      entry.getThrown().printStackTrace(out);
    }
  }

  @Override
  public void close() {
    root.removeHandler(recorder);
    root.setLevel(levelBefore);
    root.setUseParentHandlers(parentsBefore);
  }

  private final class Recorder extends Handler {
    @Override
    public void publish(LogRecord entry) {
      if (isLoggable(entry)) {
        add(entry);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
