package io.entroq.perf.peers.process;

import io.entroq.perf.process.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A server in a process of its own, with its output in a file. For one thread. */
public final class ChildProcess implements AutoCloseable {
  private static final int POLL_MS = 50;
  private static final int LINES_SHOWN = 5;

  private final String name;
  private final Process process;
  private final Path log;
  private final ProcessTree tree;

  private ChildProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    tree = new ProcessTree(process.toHandle());
  }

  /**
   * Starts a process.
   *
   * @param directory where it runs, and where its output goes
   * @param environment variables besides those of this process
   */
  public static ChildProcess start(
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
    return new ChildProcess(name, builder.start(), log);
  }

  /**
   * Starts a JVM with the class path of this one.
   *
   * @param main the class whose main method it calls
   */
  public static ChildProcess startJvm(
      String name, Path directory, List<String> flags, String main, List<String> arguments)
      throws IOException {
    String classPath = absolute(JavaProcess.CLASS_PATH);
    return start(name, directory, Map.of(), JavaProcess.command(classPath, flags, main, arguments));
  }

  /** The child has another working directory. */
  private static String absolute(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Waits until it is ready.
   *
   * @throws IOException if it has ended, with the last lines of its output
   */
  public void awaitReady(Duration limit, Callable<Boolean> isReady) throws Exception {
    long startNs = System.nanoTime();
    while (!isReady.call()) {
      if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
        throw new IOException(name + " ended with " + process.exitValue() + ": " + lastLines());
      }
      if (System.nanoTime() - startNs > limit.toNanos()) {
        throw new TimeoutException(
            name + " is not ready after " + limit.toSeconds() + " s: " + lastLines());
      }
    }
  }

  /** Waits until it listens on a port. */
  public void awaitPort(Duration limit, int port) throws Exception {
    awaitReady(limit, () -> Ports.isOpen(port));
  }

  /** Stops it and its descendants by a signal. */
  public void stop() throws IOException {
    tree.stop();
  }

  public void resume() throws IOException {
    tree.resume();
  }

  /** Kills it and its descendants; its files are removed anyway. */
  @Override
  public void close() throws IOException {
    tree.kill();
  }

  private String lastLines() {
    // Decodes any bytes.
    try (Stream<String> lines = Files.lines(log, Charset.forName("ISO-8859-1"))) {
      List<String> all = lines.toList();
      return String.join(" / ", all.subList(Math.max(0, all.size() - LINES_SHOWN), all.size()));
    } catch (IOException e) {
      return "(no output)";
    }
  }
}
