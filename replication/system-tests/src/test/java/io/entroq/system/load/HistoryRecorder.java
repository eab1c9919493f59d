package io.entroq.system.load;

import io.entroq.system.history.History;
import io.entroq.system.history.HistoryFormat;
import io.entroq.system.history.Invocation;
import io.entroq.system.history.Response;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Records invocations and responses, also in a file, which survives a kill. Any thread. */
public final class HistoryRecorder implements AutoCloseable {
  /** How much later than a newer one an older one may be recorded. */
  private static final long DISORDER_NS = TimeUnit.SECONDS.toNanos(5);

  private final BufferedWriter file;
  private final List<Invocation> invocation = new ArrayList<>();
  private final List<Response> response = new ArrayList<>();

  private HistoryRecorder(BufferedWriter file) {
    this.file = file;
  }

  public static HistoryRecorder to(Path path) throws IOException {
    return new HistoryRecorder(Files.newBufferedWriter(path));
  }

  /** Called before an operation is sent. */
  public synchronized void invoked(Invocation begin) {
    invocation.add(begin);
    write(HistoryFormat.of(begin));
  }

  /** Called after the response has arrived. */
  public synchronized void responded(Response end) {
    response.add(end);
    write(HistoryFormat.of(end));
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

  public synchronized History history() {
    return History.of(List.copyOf(invocation), List.copyOf(response));
  }

  /** The operations that began since a {@link System#nanoTime}. */
  public synchronized History since(long ns) {
    int first = invocation.size();
    // Those of several threads are almost in order.
    while (first > 0 && invocation.get(first - 1).atNs() - ns >= -DISORDER_NS) {
      first--;
    }
    int end = response.size();
    while (end > 0 && response.get(end - 1).atNs() - ns >= -DISORDER_NS) {
      end--;
    }
    return History.of(
        invocation.subList(first, invocation.size()).stream()
            .filter(begin -> begin.atNs() - ns >= 0)
            .toList(),
        response.subList(end, response.size()));
  }

  public synchronized int answers() {
    return response.size();
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }
}
