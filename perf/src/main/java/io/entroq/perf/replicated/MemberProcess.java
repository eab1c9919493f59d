package io.entroq.perf.replicated;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A member in a process of its own, with the flags of this one. For one thread. */
final class MemberProcess implements AutoCloseable {
  private static final long END_SECONDS_MAX = 20;

  private final Process process;
  private final BufferedReader output;
  private final Writer input;

  /**
   * Starts it; {@link #awaitStart} waits until it is there.
   *
   * @param flags of the JVM, besides those that it needs
   * @param args as {@link MemberMain} takes them
   */
  MemberProcess(List<String> flags, List<String> args) throws IOException {
    process =
        new ProcessBuilder(command(flags, args))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
  }

  private static List<String> command(List<String> flags, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (flag.startsWith("--add-")) {
        command.add(flag);
      }
    }
    command.add("-Xmx1g");
    command.add("-XX:MaxDirectMemorySize=4g");
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(MemberMain.class.getName());
    command.addAll(args);
    return command;
  }

  void awaitStart() throws IOException {
    answer();
  }

  /** Has it do something, and waits until it has. */
  String ask(String question) throws IOException {
    tell(question);
    return answer();
  }

  /** Has it do something; its {@link #answer} has to be taken before it is asked anything else. */
  void tell(String question) throws IOException {
    input.write(question + "\n");
    input.flush();
  }

  /** What it has to say to what it was told last. */
  String answer() throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(MemberMain.ANSWER)) {
        return line.substring(MemberMain.ANSWER.length());
      }
      if (line.startsWith(MemberMain.FAILURE)) {
        throw new IllegalStateException("a member says " + line);
      }
    }
    throw new IOException("a member has ended before it had answered");
  }

  /** What it is at. */
  MemberPosition position() throws IOException {
    return MemberPosition.parse(ask("status"));
  }

  /** The time that it has had of processors. */
  Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** For how long its compilers have worked. */
  Duration compileTime() throws IOException {
    return Duration.ofMillis(Long.parseLong(ask("compiled")));
  }

  /** Ends it as {@code kill -9} does, and waits until it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
