package io.runtimestate.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A request log, read line by line: it may be longer than memory. */
final class RequestLog implements AutoCloseable {
  static final String HEADER = "epoch_seconds\tclient\tmethod\tpath\tstatus\tbytes";

  private final Path file;
  private final BufferedReader reader;
  private long line;

  private RequestLog(Path file, BufferedReader reader) {
    this.file = file;
    this.reader = reader;
  }

  static RequestLog open(Path file) {
    try {
      RequestLog log = new RequestLog(file, Files.newBufferedReader(file));
      log.header();
      return log;
    } catch (IOException failure) {
      throw new NodeFailure("cannot read " + file);
    }
  }

  private void header() {
    if (!HEADER.equals(read())) {
      close();
      throw Request.atLine(line, "the header must be " + HEADER.replace("\t", " "));
    }
  }

  /** The next request; null at the end. */
  Request next() {
    String text = read();
    return text == null ? null : Request.parse(line, text);
  }

  private String read() {
    line++;
    try {
      return reader.readLine();
    } catch (CharacterCodingException malformed) {
      throw Request.atLine(line, "or one of the next: not UTF-8"); // it is read in blocks
    } catch (IOException failure) {
      throw new NodeFailure("cannot read on in " + file);
    }
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException unimportant) {
      // it was only read
    }
  }
}
