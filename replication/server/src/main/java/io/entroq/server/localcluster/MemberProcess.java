package io.entroq.server.localcluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.engine.JvmFlags;
import io.entroq.tools.terminal.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process in which a member runs. It ends when this one does, however that ends, since it reads
 * from a pipe that this one holds open. Any thread.
 */
final class MemberProcess {
  /** The first JDK that warns of what libraries do. */
  private static final int WARNING_JDK = 24;

  private static final String MAIN = "io.entroq.server.cli.Main";
  private static final int TAIL_BYTES = 4_096;

  private final Process process;
  private final Path log;

  private MemberProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts one.
   *
   * @param arguments of the command, with its name
   * @param log takes what it says of itself on the error output
   * @param said takes each line of its output, then null when it has ended; on a thread of its own
   * @throws CommandException if it cannot be started
   */
  static MemberProcess start(int heapMiB, List<String> arguments, Path log, Consumer<String> said) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JvmFlags.line().split(" ", 0)));
    if (Runtime.version().feature() >= WARNING_JDK) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.add("-Xmx" + heapMiB + "m");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
    command.addAll(arguments);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      Thread reader = new Thread(() -> read(process, said), "entroq-member-output");
      reader.setDaemon(true);
      reader.start();
      return new MemberProcess(process, log);
    } catch (IOException e) {
      throw new CommandException("cannot start a process for a member: " + e, e);
    }
  }

  private static void read(Process process, Consumer<String> said) {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.accept(line);
      }
    } catch (IOException e) {
      // It has ended, or is about to.
    }
    process.onExit().join();
    said.accept(null);
  }

  long pid() {
    return process.pid();
  }

  /** What it has ended with. */
  int status() {
    return process.exitValue();
  }

  /** The last line that it has said of itself on the error output; empty: none. */
  String lastWords() {
    try {
      byte[] bytes = Files.readAllBytes(log);
      int from = Math.max(0, bytes.length - TAIL_BYTES);
      return new String(bytes, from, bytes.length - from, UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .reduce("", (before, last) -> last);
    } catch (IOException e) {
      return "";
    }
  }

  /** Asks it to end. */
  void end() {
    process.destroy();
  }

  /** Ends it. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Whether it ends within that time. */
  boolean awaitEnd(Duration time) {
    try {
      return process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }
}
