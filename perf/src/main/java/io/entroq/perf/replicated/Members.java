package io.entroq.perf.replicated;

import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.UnusedPorts;
import io.entroq.engine.Closing;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.agrona.IoUtil;

/** Three members, each in a process. For one thread. */
final class Members implements AutoCloseable {
  static final int COUNT = 3;
  private static final long LEADER_NS_MAX = TimeUnit.MINUTES.toNanos(2);
  private static final long POLL_MS = 5;

  private final String kind;
  private final Path directory;
  private final MemberOptions options;
  private final IntFunction<Redirect> log;
  private final List<Integer> ports;
  private final MemberProcess[] processes = new MemberProcess[COUNT];

  private Members(
      String kind,
      Path directory,
      MemberOptions options,
      IntFunction<Redirect> log,
      List<Integer> ports) {
    this.kind = kind;
    this.directory = directory;
    this.options = options;
    this.log = log;
    this.ports = ports;
  }

  /**
   * Starts a new cluster, and waits until it serves.
   *
   * @param kind {@code queue} or {@code echo}
   * @param log where the standard error of each member goes
   */
  static Members start(
      String kind, Path directory, MemberOptions options, IntFunction<Redirect> log)
      throws IOException, InterruptedException {
    UnusedPorts free = new UnusedPorts("127.0.0.1");
    List<Integer> ports =
        Stream.generate(() -> free.take(MemberAddress.PORTS)).limit(COUNT).toList();
    Members members = new Members(kind, directory, options, log, ports);
    try {
      for (int id = 0; id < COUNT; id++) {
        members.launch(id, true);
      }
      for (MemberProcess process : members.processes) {
        process.awaitStart();
      }
      members.leader();
      members.member(0).ask("commit");
      return members;
    } catch (Throwable t) {
      Closing.after(t, members);
      throw t;
    }
  }

  private void launch(int id, boolean isFirst) throws IOException {
    processes[id] = new MemberProcess(options.flags(), args(id, isFirst), log.apply(id));
  }

  private List<String> args(int id, boolean isFirst) {
    List<String> args = new ArrayList<>();
    args.add(kind);
    args.add(Integer.toString(id));
    args.add(directory.resolve("member-" + id).toString());
    args.add(Boolean.toString(isFirst));
    args.add(options.durability().name());
    args.add(Integer.toString(options.heartbeatMs()));
    ports.forEach(port -> args.add(port.toString()));
    return args;
  }

  /** Restarts a member that was killed or has ended; returns when its process answers. */
  void restart(int id) throws IOException {
    processes[id].close();
    launch(id, false);
    processes[id].awaitStart();
  }

  MemberProcess member(int id) {
    return processes[id];
  }

  /** Waits until one member leads and all others follow it, and returns its number. */
  int leader() throws IOException, InterruptedException {
    long startNs = System.nanoTime();
    while (System.nanoTime() - startNs < LEADER_NS_MAX) {
      int leader = -1;
      int elected = 0;
      for (int id = 0; id < COUNT; id++) {
        MemberProcess.Position position = processes[id].position();
        leader = position.isLeader() ? id : leader;
        elected += position.isElected() ? 1 : 0;
      }
      if (leader >= 0 && elected == COUNT) {
        return leader;
      }
      Thread.sleep(POLL_MS);
    }
    throw new IllegalStateException("no member leads");
  }

  /** The newest leadership term that a member knows. */
  long termId() throws IOException {
    long newest = -1;
    for (MemberProcess process : processes) {
      newest = Math.max(newest, process.position().termId());
    }
    return newest;
  }

  /** A member that follows the leader. */
  static int follower(int leader) {
    return (leader + 1) % COUNT;
  }

  Duration processorTime() {
    Duration all = Duration.ZERO;
    for (MemberProcess process : processes) {
      all = all.plus(process.processorTime());
    }
    return all;
  }

  /** How long the compilers of all members have worked. */
  Duration compileTime() throws IOException {
    Duration all = Duration.ZERO;
    for (MemberProcess process : processes) {
      all = all.plus(process.compileTime());
    }
    return all;
  }

  @Override
  public void close() {
    Closing.all(processes);
    // A killed process leaves the files of its media driver behind, in memory.
    for (int id = 0; id < COUNT; id++) {
      IoUtil.delete(
          MemberMain.config(args(id, false).toArray(String[]::new)).driverDirectory().toFile(),
          true);
    }
  }
}
