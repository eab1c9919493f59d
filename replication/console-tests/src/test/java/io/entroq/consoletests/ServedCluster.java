package io.entroq.consoletests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A cluster of three members as processes, which are started again if they die. For one thread. */
final class ServedCluster implements AutoCloseable {
  private static final Pattern MEMBER =
      Pattern.compile("Member (\\d)  gRPC .*  HTTP 127\\.0\\.0\\.1:(\\d+)  process (\\d+)");
  private static final Pattern READY =
      Pattern.compile("The cluster is ready: member (\\d) leads, term \\d+");

  private final Process process;
  private final BufferedReader lines;
  private final Map<Integer, QueueApi> members = new HashMap<>();
  private final Map<Integer, ProcessHandle> processes = new HashMap<>();

  private ServedCluster(Process process) {
    this.process = process;
    lines = process.inputReader();
  }

  /**
   * Starts one.
   *
   * @param directory for its data and its log
   */
  static ServedCluster start(Path directory) throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-jar",
            System.getProperty("entroq.test.jar"),
            "cluster",
            "--data=" + directory.resolve("data"),
            "--heap=128",
            "--durability=os");
    // Of the members too.
    command.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
    return new ServedCluster(
        command.redirectError(directory.resolve("cluster.log").toFile()).start());
  }

  /** Waits until all members serve. Returns which one leads. */
  int awaitReady() throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher member = MEMBER.matcher(line);
      if (member.matches()) {
        int id = Integer.parseInt(member.group(1));
        members.put(id, new QueueApi(Integer.parseInt(member.group(2))));
        processes.put(id, ProcessHandle.of(Long.parseLong(member.group(3))).orElseThrow());
      }
      Matcher ready = READY.matcher(line);
      if (ready.matches()) {
        return Integer.parseInt(ready.group(1));
      }
    }
    throw new IOException("the cluster has ended");
  }

  QueueApi member(int id) {
    return members.get(id);
  }

  /** Stops a member without ending it, so that it does not come back. */
  void hang(int id) {
    ServedQueue.signal("-STOP", processes.get(id));
  }

  /** Kills a member with SIGKILL. */
  void kill(int id) {
    assertThat(processes.get(id).destroyForcibly()).isTrue();
  }

  @Override
  public void close() {
    List<ProcessHandle> left = process.children().toList();
    process.destroyForcibly();
    left.forEach(ProcessHandle::destroyForcibly);
  }
}
