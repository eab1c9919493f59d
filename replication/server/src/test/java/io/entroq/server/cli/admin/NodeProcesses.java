package io.entroq.server.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.process.ShortLived;
import io.entroq.server.cli.Java;
import io.entroq.server.cli.Main;
import io.entroq.service.testing.MemberPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three members, each a process of {@code entroq node}, of this build or of an older one. */
final class NodeProcesses implements AutoCloseable {
  static final int COUNT = 3;

  private static final int END_SECONDS_MAX = 60;
  private static final String HEAP = "-Xmx256m";

  private final Path directory;
  private final List<String> options;
  private final List<Integer> members;
  private final List<Integer> ports;
  private final Process[] processes = new Process[COUNT];

  /**
   * @param options that all members have
   */
  NodeProcesses(Path directory, List<String> options) {
    this.directory = directory;
    this.options = options;
    List<Integer> free = MemberPorts.take(2 * COUNT);
    members = free.subList(0, COUNT);
    ports = free.subList(COUNT, 2 * COUNT);
  }

  /**
   * @param jar of an older build; empty: this one
   * @param more options of this start
   */
  void start(int id, Optional<Path> jar, String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of("node", "--id=" + id, "--members=" + members()));
    words.addAll(List.of("--data=" + data(id), "--durability=os", "--warm-up=0"));
    words.addAll(List.of("--host=127.0.0.1", "--port=" + ports.get(id), "--http-port=0"));
    words.addAll(options);
    words.addAll(List.of(more));
    ProcessBuilder command =
        jar.map(older -> older(older, words.toArray(String[]::new)))
            .orElseGet(() -> Java.command(Main.class, words.toArray(String[]::new)));
    command.command().add(1, HEAP);
    processes[id] =
        command
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log(id).toFile()))
            .start();
  }

  /** A command of an older build. */
  static ProcessBuilder older(Path jar, String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ShortLived.FLAGS);
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(List.of(words));
    return new ProcessBuilder(command);
  }

  /** Sends SIGTERM and waits for the end. */
  void stop(int id) throws InterruptedException {
    processes[id].destroy();
    assertThat(awaitEnd(id)).isEqualTo(143);
  }

  /** Sends SIGKILL and waits for the end. */
  void kill(int id) throws InterruptedException {
    processes[id].destroyForcibly();
    awaitEnd(id);
  }

  /** Returns the exit status. */
  int awaitEnd(int id) throws InterruptedException {
    assertThat(processes[id].waitFor(END_SECONDS_MAX, TimeUnit.SECONDS))
        .as(() -> "member " + id + " ends; " + logged(id))
        .isTrue();
    return processes[id].exitValue();
  }

  private Path log(int id) {
    return directory.resolve("member-" + id + ".log");
  }

  /** What a member has printed, in all its starts. */
  String logged(int id) {
    try {
      return Files.readString(log(id));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  Path data(int id) {
    return directory.resolve("member-" + id);
  }

  /** The addresses for traffic between members. */
  String members() {
    return members.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
  }

  /** The addresses of members for clients. */
  String addresses(int... ids) {
    return Arrays.stream(ids)
        .mapToObj(id -> "127.0.0.1:" + ports.get(id))
        .collect(Collectors.joining(","));
  }

  String addresses() {
    return addresses(IntStream.range(0, COUNT).toArray());
  }

  @Override
  public void close() {
    Arrays.stream(processes).filter(Objects::nonNull).forEach(Process::destroyForcibly);
  }
}
