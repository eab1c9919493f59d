package io.entroq.perf.replicated;

import io.entroq.cluster.member.MemberJvm;
import io.entroq.perf.process.JavaProcess;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A member in a process of its own. For one thread. */
final class MemberProcess implements AutoCloseable {
  private final JavaProcess process;

  /**
   * Starts it; {@link #awaitStart} waits until it is ready.
   *
   * @param flags of the JVM, besides those that it needs
   * @param args as {@link MemberMain} takes them
   * @param log where its standard error goes
   */
  MemberProcess(List<String> flags, List<String> args, Redirect log) throws IOException {
    List<String> all = new ArrayList<>(List.of("-Xmx1g", "-XX:MaxDirectMemorySize=4g"));
    all.addAll(MemberJvm.flags(Runtime.getRuntime().availableProcessors(), System.getenv()));
    all.addAll(flags);
    process =
        new JavaProcess(
            JavaProcess.command(JavaProcess.CLASS_PATH, all, MemberMain.class.getName(), args),
            log);
  }

  void awaitStart() throws IOException {
    awaitAnswer();
  }

  /** Sends a command and waits for its answer. */
  String ask(String command) throws IOException {
    send(command);
    return awaitAnswer();
  }

  /** Sends a command; {@link #awaitAnswer} must follow before the next one. */
  void send(String command) throws IOException {
    process.write(command);
  }

  String awaitAnswer() throws IOException {
    return process.await(MemberMain.ANSWER);
  }

  Position position() throws IOException {
    return Position.parse(ask("status"));
  }

  Duration processorTime() {
    return process.processorTime();
  }

  /** How long its compilers have worked. */
  Duration compileTime() throws IOException {
    return Duration.ofMillis(Long.parseLong(ask("compiled")));
  }

  /** Stops it by SIGSTOP, and lets it go on after a while. */
  void stopFor(Duration length) throws IOException, InterruptedException {
    new ProcessBuilder(
            "sh",
            "-c",
            "kill -STOP $1; sleep $2; kill -CONT $1",
            "sh",
            Long.toString(process.pid()),
            Double.toString(length.toNanos() / 1e9))
        .inheritIO()
        .start()
        .waitFor();
  }

  /** Ends it like {@code kill -9}, and waits until it is gone. */
  void kill() throws InterruptedException {
    process.kill();
  }

  @Override
  public void close() {
    try {
      kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * How far a member is.
   *
   * @param isElected whether it leads or follows a leader
   * @param commitPosition bytes of the log that a majority has
   * @param snapshots how many it has taken
   */
  record Position(
      boolean isLeader, boolean isElected, long termId, long commitPosition, long snapshots) {
    /** As {@link MemberMain} prints it. */
    private static Position parse(String line) {
      String[] words = line.split(" ", -1);
      return new Position(
          words[0].equals("LEADER"),
          words[1].equals("CLOSED"),
          Long.parseLong(words[2]),
          Long.parseLong(words[3]),
          Long.parseLong(words[4]));
    }
  }
}
