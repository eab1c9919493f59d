package io.entroq.server.localcluster;

import io.entroq.cluster.member.ClusterMember;
import io.entroq.engine.Closing;
import io.entroq.engine.log.DirectoryLock;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Runs all members of a cluster on this machine: starts a process for each, reports their state,
 * and restarts those that die. For one thread.
 */
public final class LocalCluster implements AutoCloseable {
  private static final long POLL_MS = 50;

  /** A signal to the process group may reach members before this process. */
  private static final Duration SIGNAL_GRACE = Duration.ofMillis(300);

  private final LocalClusterConfig config;
  private final Consumer<String> output;
  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final List<MemberSupervisor> supervisors;
  private final String members;
  private final DirectoryLock lock;
  private ClusterFile file;
  private long printedTerm = -1;
  private boolean isComplete;

  /**
   * Locks the directory and assigns ports; starts nothing yet.
   *
   * @param output receives lines for people
   * @throws CommandException if the directory cannot be used
   * @throws io.entroq.engine.log.LogException if another process uses it
   */
  public LocalCluster(LocalClusterConfig config, Consumer<String> output) {
    this.config = config;
    this.output = output;
    lock = lock(config.directory());
    try {
      file = assignPorts();
    } catch (Throwable t) {
      Closing.after(t, lock);
      throw t;
    }
    List<MemberPorts> allPorts = file.members();
    supervisors = allPorts.stream().map(MemberSupervisor::new).toList();
    members =
        allPorts.stream()
            .map(ports -> config.host() + ":" + ports.memberPort())
            .collect(Collectors.joining(","));
  }

  private static DirectoryLock lock(Path directory) {
    if (ClusterMember.hasDirectory(directory)) {
      throw new CommandException(
          directory + " is the directory of a single member; give the directory of a cluster");
    }
    try {
      Files.createDirectories(directory);
      return DirectoryLock.acquire(directory, ProcessHandle.current().pid());
    } catch (IOException e) {
      throw new CommandException("cannot use the directory " + directory + ": " + e, e);
    }
  }

  private ClusterFile assignPorts() {
    Optional<ClusterFile> previous = ClusterFile.read(config.directory());
    List<MemberPorts> allPorts = new PortAssignment(config).choose(previous);
    ClusterFile assigned =
        new ClusterFile(allPorts, previous.map(ClusterFile::hasBeenReady).orElse(false));
    assigned.write(config.directory());
    return assigned;
  }

  /**
   * Runs the members until interrupted.
   *
   * @throws CommandException if a member cannot be started, or exits before it has served
   */
  public void run(Interruption interruption) {
    output.accept("Cluster of %d members in %s".formatted(supervisors.size(), config.directory()));
    for (MemberSupervisor member : supervisors) {
      start(member);
    }
    while (!interruption.isRequested()) {
      Event event = poll();
      if (event != null) {
        handle(event, interruption);
      }
      for (MemberSupervisor member : supervisors) {
        if (member.isDue(System.nanoTime()) && !interruption.isRequested()) {
          start(member);
        }
      }
    }
    output.accept("Stopping all members.");
  }

  private Event poll() {
    try {
      return events.poll(POLL_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    }
  }

  private void start(MemberSupervisor member) {
    MemberPorts ports = member.ports();
    MemberProcess started =
        MemberProcess.start(
            config.heapMiB(),
            arguments(ports),
            config.directory().resolve("member-" + ports.id() + ".log"),
            line -> events.add(new Event(member, line)));
    member.onStart(started, System.nanoTime());
    output.accept(
        "Member %d  gRPC %s:%d  HTTP %s:%d  process %d"
            .formatted(
                ports.id(),
                config.host(),
                ports.port(),
                config.host(),
                ports.httpPort(),
                started.pid()));
  }

  private List<String> arguments(MemberPorts ports) {
    Path data = config.directory().resolve(Integer.toString(ports.id()));
    List<String> arguments = new ArrayList<>(List.of("node", "--end-with-input"));
    arguments.addAll(config.nodeOptions());
    arguments.addAll(List.of("--id", Integer.toString(ports.id()), "--members", members));
    arguments.addAll(List.of("--data", data.toString(), "--host", config.host()));
    arguments.addAll(List.of("--port", Integer.toString(ports.port())));
    arguments.addAll(List.of("--http-port", Integer.toString(ports.httpPort())));
    // All members would warm up at once, on the cores of one machine.
    arguments.addAll(List.of("--warm-up", "0"));
    config
        .driverDirectoryOf(ports.id())
        .ifPresent(driver -> arguments.addAll(List.of("--driver-directory", driver.toString())));
    // Once the cluster has been ready, a member that lost its directory must not vote: it no
    // longer knows its earlier votes.
    arguments.add("--bootstrap=" + (!file.hasBeenReady() && !ClusterMember.hasDirectory(data)));
    return arguments;
  }

  private void handle(Event event, Interruption interruption) {
    MemberSupervisor member = event.member();
    if (event.line() == null) {
      handleExit(member, interruption);
    } else {
      member.onOutput(event.line());
      printLeader();
    }
  }

  private void handleExit(MemberSupervisor member, Interruption interruption) {
    interruption.pause(SIGNAL_GRACE);
    MemberProcess exited = member.process().orElseThrow();
    Duration wait = member.onExit(System.nanoTime());
    isComplete = false;
    if (interruption.isRequested()) {
      return;
    }
    // A process that was killed by a signal has not logged why.
    String why = exited.status() > 128 ? "" : exited.lastLogLine();
    String message =
        "Member %d, process %d, exited with status %d%s"
            .formatted(
                member.ports().id(),
                exited.pid(),
                exited.status(),
                why.isEmpty() ? "" : ": " + why);
    if (!member.hasServed()) {
      throw new CommandException(message);
    }
    output.accept("%s; restarting in %.1f s".formatted(message, wait.toMillis() / 1_000.0));
  }

  private void printLeader() {
    Optional<MemberSupervisor> leader =
        supervisors.stream().filter(MemberSupervisor::isLeading).findFirst();
    if (leader.isEmpty()) {
      return;
    }
    int id = leader.get().ports().id();
    long term = leader.get().term();
    if (!isComplete && supervisors.stream().allMatch(MemberSupervisor::isReady)) {
      isComplete = true;
      printedTerm = term;
      output.accept("The cluster is ready: member %d leads, term %d".formatted(id, term));
      leader.get().console().ifPresent(output);
      if (!file.hasBeenReady()) {
        file = file.withBeenReady();
        file.write(config.directory());
      }
    } else if (printedTerm >= 0 && term > printedTerm) {
      printedTerm = term;
      output.accept("Member %d leads, term %d".formatted(id, term));
    }
  }

  /** Stops all members and waits until they have exited. */
  @Override
  public void close() {
    List<MemberProcess> running =
        supervisors.stream().flatMap(member -> member.process().stream()).toList();
    running.forEach(MemberProcess::terminate);
    long deadlineNs = System.nanoTime() + config.patience().toNanos();
    for (MemberProcess process : running) {
      if (!process.awaitExit(Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime())))) {
        output.accept("Process %d did not stop in time and was killed.".formatted(process.pid()));
        process.kill();
      }
    }
    lock.close();
  }

  /**
   * @param line a line that the process printed; null if it has exited
   */
  private record Event(MemberSupervisor member, String line) {}
}
