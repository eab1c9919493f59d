package io.entroq.system.load;

import io.entroq.system.history.Asked;
import io.entroq.system.history.History;
import io.entroq.system.history.HistoryLine;
import io.entroq.system.history.Told;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes down what callers ask and are told, also in a file, where it is found when the process was
 * killed. Any thread.
 */
public final class Recorder implements AutoCloseable {
  private final BufferedWriter file;
  private final List<Asked> asked = new ArrayList<>();
  private final List<Told> told = new ArrayList<>();

  private Recorder(BufferedWriter file) {
    this.file = file;
  }

  /** Writes to a new file. */
  public static Recorder to(Path path) throws IOException {
    return new Recorder(Files.newBufferedWriter(path));
  }

  /** Before anything is sent. */
  public synchronized void asked(Asked begin) {
    asked.add(begin);
    write(HistoryLine.of(begin));
  }

  /** Once the answer is there. */
  public synchronized void told(Told end) {
    told.add(end);
    write(HistoryLine.of(end));
  }

  private void write(String line) {
    try {
      file.write(line);
      file.newLine();
      file.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What has been taken down so far. */
  public synchronized History history() {
    return History.of(List.copyOf(asked), List.copyOf(told));
  }

  /** What was asked since then, by {@link System#nanoTime}, and has been taken down so far. */
  public synchronized History since(long ns) {
    return History.of(asked.stream().filter(begin -> begin.atNs() - ns >= 0).toList(), told);
  }

  /** How many answers there have been. */
  public synchronized int answers() {
    return told.size();
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }
}
