package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.process.ShortLived;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A cluster on this machine, as {@code entroq cluster} runs it. Not thread-safe. */
public final class ClusterProcess implements AutoCloseable {
  private static final Pattern MEMBER =
      Pattern.compile("Member (\\d)  gRPC 127.0.0.1:(\\d+)  HTTP 127.0.0.1:(\\d+)  process (\\d+)");
  private static final Pattern READY =
      Pattern.compile("The cluster is ready: member (\\d) leads, term \\d+");
  private static final int END_SECONDS_MAX = 40;

  private final Process process;
  private final BufferedReader lines;
  private final List<String> printed = new ArrayList<>();
  private final int[] ports = new int[3];
  private final long[] pids = new long[3];

  private ClusterProcess(Process process) {
    this.process = process;
    lines = process.inputReader();
  }

  public static ClusterProcess start(Path data, String... options) throws IOException {
    List<String> args = new ArrayList<>(List.of("cluster", "--data", data.toString()));
    args.addAll(List.of("--heap", "128"));
    args.addAll(List.of(options));
    ProcessBuilder command = Java.command(Main.class, args.toArray(String[]::new));
    // Applies to the processes that it starts, which are short-lived too.
    command
        .environment()
        .put(
            "JDK_JAVA_OPTIONS",
            String.join(" ", ShortLived.FLAGS)
                + " "
                + String.join(" ", ClassData.isThere() ? ClassData.flags() : List.of())
                + " -Dslf4j.provider=org.slf4j.simple.SimpleServiceProvider");
    return new ClusterProcess(
        command.redirectError(data.resolveSibling("cluster.log").toFile()).start());
  }

  /** Waits until all members are ready. */
  public int awaitReady() throws IOException {
    return Integer.parseInt(await(READY::matcher).group(1));
  }

  /** Waits for a line. */
  String awaitLine(Predicate<String> wanted) throws IOException {
    while (true) {
      String line = lines.readLine();
      assertThat(line).as("after " + printed).isNotNull();
      printed.add(line);
      note(line);
      if (wanted.test(line)) {
        return line;
      }
    }
  }

  private Matcher await(Function<String, Matcher> pattern) throws IOException {
    Matcher matcher = pattern.apply(awaitLine(line -> pattern.apply(line).matches()));
    assertThat(matcher.matches()).isTrue();
    return matcher;
  }

  private void note(String line) {
    Matcher member = MEMBER.matcher(line);
    if (member.matches()) {
      int id = Integer.parseInt(member.group(1));
      ports[id] = Integer.parseInt(member.group(2));
      pids[id] = Long.parseLong(member.group(4));
    }
  }

  /** The gRPC port. */
  public int port(int member) {
    return ports[member];
  }

  public ProcessHandle member(int member) {
    return ProcessHandle.of(pids[member]).orElseThrow();
  }

  List<ProcessHandle> members() {
    return process.toHandle().children().toList();
  }

  /** Sends SIGTERM. */
  public void terminate() {
    process.toHandle().destroy();
  }

  /** Sends SIGKILL. */
  void kill() {
    process.destroyForcibly();
  }

  /** Waits for the end. Returns the exit status. */
  public int awaitEnd() throws InterruptedException {
    assertThat(process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    List<ProcessHandle> left = members();
    process.destroyForcibly();
    left.forEach(ProcessHandle::destroyForcibly);
  }
}
