package io.entroq.perf.replicated;

import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.UnusedPorts;
import io.entroq.engine.Closing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.agrona.IoUtil;

/** Three members, each a process. For one thread. */
final class Members implements AutoCloseable {
  static final int COUNT = 3;
  private static final long LEADER_NS_MAX = TimeUnit.MINUTES.toNanos(2);
  private static final long LOOK_MS = 5;

  private final String kind;
  private final Path directory;
  private final Setup setup;
  private final List<Integer> ports;
  private final MemberProcess[] processes = new MemberProcess[COUNT];

  private Members(String kind, Path directory, Setup setup, List<Integer> ports) {
    this.kind = kind;
    this.directory = directory;
    this.setup = setup;
    this.ports = ports;
  }

  /**
   * Starts them for the first time, and waits until they serve.
   *
   * @param kind {@code queue} or {@code echo}
   */
  static Members start(String kind, Path directory, Setup setup)
      throws IOException, InterruptedException {
    Members members = new Members(kind, directory, setup, unusedPorts());
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

  private static List<Integer> unusedPorts() {
    UnusedPorts free = new UnusedPorts("127.0.0.1");
    return IntStream.range(0, COUNT).mapToObj(id -> free.take(MemberAddress.PORTS)).toList();
  }

  private void launch(int id, boolean isFirst) throws IOException {
    processes[id] = new MemberProcess(setup.flags(), args(id, isFirst));
  }

  private List<String> args(int id, boolean isFirst) {
    List<String> args = new ArrayList<>();
    args.add(kind);
    args.add(Integer.toString(id));
    args.add(directory.resolve("member-" + id).toString());
    args.add(Boolean.toString(isFirst));
    args.add(setup.durability().name());
    args.add(Integer.toString(setup.heartbeatMs()));
    ports.forEach(port -> args.add(port.toString()));
    return args;
  }

  /** Starts one that was killed; returns when its process answers. */
  void restart(int id) throws IOException {
    launch(id, false);
    processes[id].awaitStart();
  }

  MemberProcess member(int id) {
    return processes[id];
  }

  /** Which one leads, once one does and all others follow it. */
  int leader() throws IOException, InterruptedException {
    long startNs = System.nanoTime();
    while (System.nanoTime() - startNs < LEADER_NS_MAX) {
      int leader = -1;
      int inTouch = 0;
      for (int id = 0; id < COUNT; id++) {
        MemberPosition position = processes[id].position();
        leader = position.isLeader() ? id : leader;
        inTouch += position.isInTouch() ? 1 : 0;
      }
      if (leader >= 0 && inTouch == COUNT) {
        return leader;
      }
      Thread.sleep(LOOK_MS);
    }
    throw new IllegalStateException("no member leads");
  }

  /** Of the present leadership, as far as all know. */
  long termId() throws IOException {
    long newest = -1;
    for (MemberProcess process : processes) {
      newest = Math.max(newest, process.position().termId());
    }
    return newest;
  }

  /** One that follows a leader. */
  static int follower(int leader) {
    return (leader + 1) % COUNT;
  }

  /** The time that all have had of processors. */
  Duration processorTime() {
    Duration all = Duration.ZERO;
    for (MemberProcess process : processes) {
      all = all.plus(process.processorTime());
    }
    return all;
  }

  /** For how long the compilers of all have worked. */
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
    // Who is killed leaves the files of his driver behind, in memory.
    for (int id = 0; id < COUNT; id++) {
      IoUtil.delete(
          MemberMain.config(args(id, false).toArray(String[]::new)).driverDirectory().toFile(),
          true);
    }
  }
}
