package io.entroq.perf.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM in a process of its own, which talks by lines of its input and output. For one thread. */
public final class JavaProcess implements AutoCloseable {
  /** Begins a line that reports a failure. */
  public static final String FAILURE = "! ";

  /** The class path of this process. */
  public static final String CLASS_PATH = System.getProperty("java.class.path");

  private static final long END_SECONDS_MAX = 20;

  private final Process process;
  private final BufferedReader output;
  private final Writer input;

  /**
   * Starts the process.
   *
   * @param flags of the JVM, besides those that give it access to the JDK's internals
   */
  public JavaProcess(String classPath, List<String> flags, Class<?> main, List<String> args)
      throws IOException {
    this(command(classPath, flags, main.getName(), args), Redirect.INHERIT);
  }

  /**
   * Starts the process.
   *
   * @param command as {@link #command} returns it
   * @param errors where its standard error goes
   */
  public JavaProcess(List<String> command, Redirect errors) throws IOException {
    process = new ProcessBuilder(command).redirectError(errors).start();
    output = process.inputReader(StandardCharsets.UTF_8);
    input = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** The command that starts a JVM with the same access to the JDK's internals as this one. */
  public static List<String> command(
      String classPath, List<String> flags, String main, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(accessFlags());
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(args);
    return command;
  }

  /** The flags by which this JVM has access to the JDK's internals. */
  public static List<String> accessFlags() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--add-"))
        .toList();
  }

  public void write(String line) throws IOException {
    input.write(line + "\n");
    input.flush();
  }

  /**
   * Reads lines up to the next one with this prefix.
   *
   * @return the rest of that line
   * @throws IllegalStateException if the process reports a failure first
   */
  public String await(String prefix) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(prefix)) {
        return line.substring(prefix.length());
      }
      if (line.startsWith(FAILURE)) {
        throw new IllegalStateException("a process reports: " + line);
      }
    }
    throw new IOException("a process ended before it printed \"" + prefix + "\"");
  }

  public long pid() {
    return process.pid();
  }

  /** The processor time that it has used. */
  public Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Ends it like {@code kill -9}, and waits until it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Asks it to exit, and kills it if it does not. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
