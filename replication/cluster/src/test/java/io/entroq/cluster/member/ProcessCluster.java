package io.entroq.cluster.member;

import io.entroq.engine.Closing;
import io.entroq.engine.JvmFlags;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.IoUtil;

/** Three members with default timeouts, each in a process of its own. For one thread. */
final class ProcessCluster implements AutoCloseable {
  static final int MEMBERS = 3;

  private final Path directory;
  private final Duration snapshotInterval;
  private final List<String> ports;
  private final Member[] members = new Member[MEMBERS];

  /** Starts it for the first time. */
  ProcessCluster(Path directory, Duration snapshotInterval) throws IOException {
    this.directory = directory;
    this.snapshotInterval = snapshotInterval;
    UnusedPorts free = new UnusedPorts("127.0.0.1");
    ports =
        Stream.generate(() -> Integer.toString(free.take(MemberAddress.PORTS)))
            .limit(MEMBERS)
            .toList();
    try {
      start(List.of(0, 1, 2), true);
    } catch (Throwable t) {
      Closing.after(t, this);
      throw t;
    }
  }

  /** Starts members that are down. */
  void start(List<Integer> ids) throws IOException {
    start(ids, false);
  }

  private void start(List<Integer> ids, boolean isFirst) throws IOException {
    for (int id : ids) {
      members[id] = new Member(command(id, isFirst), log(id));
    }
    for (int id : ids) {
      members[id].awaitAnswer();
    }
  }

  private List<String> command(int id, boolean isFirst) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JvmFlags.line().split(" ", 0)));
    command.addAll(MemberJvm.flags(Runtime.getRuntime().availableProcessors(), System.getenv()));
    command.addAll(List.of("-Xmx512m", "-XX:MaxDirectMemorySize=2g"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(MemberMain.class.getName());
    command.add(Integer.toString(id));
    command.add(directory(id).toString());
    command.add(Boolean.toString(isFirst));
    command.add(Long.toString(snapshotInterval.toSeconds()));
    command.addAll(ports);
    return command;
  }

  private Path directory(int id) {
    return directory.resolve("member-" + id);
  }

  private Path log(int id) {
    return directory.resolve("member-" + id + ".log");
  }

  /** What members have logged about elections, from their starts. */
  List<String> elections() throws IOException {
    List<String> elections = new ArrayList<>();
    for (int id = 0; id < MEMBERS; id++) {
      Files.readAllLines(log(id)).stream()
          .filter(line -> line.contains("starts an election"))
          .forEach(elections::add);
    }
    return elections;
  }

  /** The number of a running member; the members must not be asked by others meanwhile. */
  Member member(int id) {
    return members[id];
  }

  List<Integer> running() {
    return IntStream.range(0, MEMBERS).filter(id -> members[id] != null).boxed().toList();
  }

  /** Kills members as {@code kill -9} does. */
  void kill(List<Integer> ids) {
    for (int id : ids) {
      members[id].process.destroyForcibly();
    }
    for (int id : ids) {
      members[id].process.onExit().join();
      members[id] = null;
    }
  }

  /** Waits until all running members have the same leader. */
  int awaitLeader() {
    Await.until(
        "there is a leader",
        () ->
            running().stream().filter(id -> members[id].status().isLeader()).count() == 1
                && running().stream().allMatch(id -> members[id].status().hasLeader()));
    return running().stream()
        .filter(id -> members[id].status().isLeader())
        .findFirst()
        .orElseThrow();
  }

  /** Waits until all running members have the same state. */
  void awaitAgreement() {
    Await.until(
        "all have the same state",
        () -> running().stream().map(id -> members[id].ask("digest")).distinct().count() == 1);
  }

  @Override
  public void close() {
    Stream.of(members).filter(Objects::nonNull).forEach(each -> each.process.destroyForcibly());
    Stream.of(members).filter(Objects::nonNull).forEach(each -> each.process.onExit().join());
    // A killed process leaves the files of its media driver behind, in memory.
    for (int id = 0; id < MEMBERS; id++) {
      IoUtil.delete(
          MemberMain.config(id, directory(id), ports).build().driverDirectory().toFile(), true);
    }
  }

  /** A process that runs {@link MemberMain}. */
  static final class Member {
    private final Process process;
    private final BufferedReader output;
    private final Writer input;

    private Member(List<String> command, Path log) throws IOException {
      process = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())).start();
      output = process.inputReader(StandardCharsets.UTF_8);
      input = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Sends a command and waits for its answer. */
    String ask(String command) {
      try {
        input.write(command + "\n");
        input.flush();
        return awaitAnswer();
      } catch (IOException e) {
        throw new IllegalStateException("a member has ended: see its log", e);
      }
    }

    private String awaitAnswer() throws IOException {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith(MemberMain.ANSWER)) {
          return line.substring(MemberMain.ANSWER.length());
        }
      }
      throw new IOException("no answer");
    }

    Status status() {
      String[] words = ask("status").split(" ", -1);
      return new Status(
          words[0].equals("LEADER"),
          words[1].equals("CLOSED"),
          Long.parseLong(words[2]),
          Long.parseLong(words[4]),
          Long.parseLong(words[5]),
          Long.parseLong(words[6]),
          Long.parseLong(words[7]));
    }

    Duration processorTime() {
      return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }
  }

  /**
   * How far a member is.
   *
   * @param recorded snapshots, with or without a complete image, since its start
   * @param complete those with a complete image
   * @param failed snapshots, since its start
   * @param pauseMaxNs longest pause of a snapshot
   */
  record Status(
      boolean isLeader,
      boolean hasLeader,
      long termId,
      long recorded,
      long complete,
      long failed,
      long pauseMaxNs) {}
}
