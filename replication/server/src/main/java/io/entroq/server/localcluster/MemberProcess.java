package io.entroq.server.localcluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.cluster.member.MemberJvm;
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
 * The process of a member. It also ends when this process dies, even if killed: it reads from a
 * pipe that this process holds open. Any thread.
 */
final class MemberProcess {
  /** The first JDK that warns about unsafe memory access by libraries. */
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
   * Starts a process.
   *
   * @param arguments the name of the command and its options
   * @param log file to which its standard error is appended
   * @param output receives each line of its standard output, and null after it has exited; called
   *     on a separate thread
   * @throws CommandException if the process cannot be started
   */
  static MemberProcess start(
      int heapMiB, List<String> arguments, Path log, Consumer<String> output) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JvmFlags.line().split(" ", 0)));
    if (Runtime.version().feature() >= WARNING_JDK) {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(MemberJvm.flags(Runtime.getRuntime().availableProcessors(), System.getenv()));
    command.add("-Xmx" + heapMiB + "m");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
    command.addAll(arguments);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      Thread reader = new Thread(() -> read(process, output), "entroq-member-output");
      reader.setDaemon(true);
      reader.start();
      return new MemberProcess(process, log);
    } catch (IOException e) {
      throw new CommandException("cannot start a process for a member: " + e, e);
    }
  }

  private static void read(Process process, Consumer<String> output) {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.accept(line);
      }
    } catch (IOException e) {
      // The process has exited or is about to.
    }
    process.onExit().join();
    output.accept(null);
  }

  long pid() {
    return process.pid();
  }

  /** The exit status. */
  int status() {
    return process.exitValue();
  }

  /** The last line of its log; empty if there is none. */
  String lastLogLine() {
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

  /** Requests the process to exit. */
  void terminate() {
    process.destroy();
  }

  /** Kills the process and waits until it has exited. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Waits for the exit; false on timeout. */
  boolean awaitExit(Duration timeout) {
    try {
      return process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }
}
