package io.entroq.perf.peers.process;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A server that runs as a process of its own, with its output in a file. For one thread. */
public final class Child implements AutoCloseable {
  private static final int POLL_MS = 50;
  private static final int LINES_TOLD = 5;

  private final String name;
  private final Process process;
  private final Path log;
  private final Tree tree;

  private Child(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    tree = new Tree(process.toHandle());
  }

  /**
   * Starts one.
   *
   * @param directory where it runs, and where its output goes
   * @param environment what it finds in its environment besides that of this process
   */
  public static Child start(
      String name, Path directory, Map<String, String> environment, List<String> command)
      throws IOException {
    Path log = directory.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.environment().putAll(environment);
    return new Child(name, builder.start(), log);
  }

  /**
   * Waits until it is of use.
   *
   * @throws IOException if it has ended; with the last lines of its output
   */
  public void awaitReady(Duration patience, Callable<Boolean> isReady) throws Exception {
    long startNs = System.nanoTime();
    while (!isReady.call()) {
      if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
        throw new IOException(name + " ended with " + process.exitValue() + ": " + lastLines());
      }
      if (System.nanoTime() - startNs > patience.toNanos()) {
        throw new TimeoutException(
            name + " is not ready after " + patience.toSeconds() + " s: " + lastLines());
      }
    }
  }

  /** Waits until it has ended by itself, without an error. */
  public void awaitEnd(Duration patience) throws Exception {
    try {
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new TimeoutException(name + " goes on after " + patience.toSeconds() + " s");
      }
      if (process.exitValue() != 0) {
        throw new IOException(name + " ended with " + process.exitValue() + ": " + lastLines());
      }
    } finally {
      close();
    }
  }

  /** Waits until it listens on a port. */
  public void awaitPort(Duration patience, int port) throws Exception {
    awaitReady(patience, () -> Ports.isOpen(port));
  }

  /** Takes the processors away from it and all that it has started. */
  public void stop() throws IOException {
    tree.stop();
  }

  /** Lets it go on. */
  public void resume() throws IOException {
    tree.resume();
  }

  /** Kills it and all that it has started. What it has stored is removed anyway. */
  @Override
  public void close() throws IOException {
    tree.kill();
  }

  private String lastLines() {
    // Whatever bytes a server may write.
    try (Stream<String> lines = Files.lines(log, Charset.forName("ISO-8859-1"))) {
      List<String> all = lines.toList();
      return String.join(" / ", all.subList(Math.max(0, all.size() - LINES_TOLD), all.size()));
    } catch (IOException e) {
      return "(no output)";
    }
  }
}
