package io.entroq.server.local;

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
 * Runs all members of a cluster on this machine: starts a process for each, tells of what becomes
 * of them, and starts one again that has died. For one thread.
 */
public final class LocalCluster implements AutoCloseable {
  private static final long LOOK_MS = 50;

  /** A signal to all processes at once reaches some of them first. */
  private static final Duration GRACE = Duration.ofMillis(300);

  private final LocalClusterConfig config;
  private final Consumer<String> tell;
  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final List<Seat> seats;
  private final String members;
  private final DirectoryLock lock;
  private ClusterFile file;
  private long toldTerm = -1;
  private boolean isComplete;

  /**
   * Nothing is started yet.
   *
   * @param tell takes lines for people
   * @throws CommandException if the directory cannot be used
   * @throws io.entroq.engine.log.LogException if another process has it
   */
  public LocalCluster(LocalClusterConfig config, Consumer<String> tell) {
    this.config = config;
    this.tell = tell;
    lock = lock(config.directory());
    try {
      file = plan();
    } catch (Throwable t) {
      Closing.after(t, lock);
      throw t;
    }
    List<MemberPlace> places = file.places();
    seats = places.stream().map(Seat::new).toList();
    members =
        places.stream()
            .map(place -> config.host() + ":" + place.memberPort())
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

  private ClusterFile plan() {
    Optional<ClusterFile> kept = ClusterFile.read(config.directory());
    List<MemberPlace> places = new Places(config).choose(kept);
    ClusterFile planned = new ClusterFile(places, kept.map(ClusterFile::hasBegun).orElse(false));
    planned.write(config.directory());
    return planned;
  }

  /**
   * Runs them until that is to end.
   *
   * @throws CommandException if one cannot be started at all
   */
  public void run(Interruption interruption) {
    tell.accept("Cluster of %d members in %s".formatted(seats.size(), config.directory()));
    for (Seat seat : seats) {
      start(seat);
    }
    while (!interruption.isRequested()) {
      Event event = poll();
      if (event != null) {
        hear(event, interruption);
      }
      for (Seat seat : seats) {
        if (seat.isDue(System.nanoTime()) && !interruption.isRequested()) {
          start(seat);
        }
      }
    }
    tell.accept("Stopping all members.");
  }

  private Event poll() {
    try {
      return events.poll(LOOK_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    }
  }

  private void start(Seat seat) {
    MemberPlace place = seat.place();
    MemberProcess started =
        MemberProcess.start(
            config.heapMiB(),
            arguments(place),
            config.directory().resolve("member-" + place.id() + ".log"),
            line -> events.add(new Event(seat, line)));
    seat.take(started, System.nanoTime());
    tell.accept(
        "Member %d  gRPC %s:%d  HTTP %s:%d  process %d"
            .formatted(
                place.id(),
                config.host(),
                place.port(),
                config.host(),
                place.httpPort(),
                started.pid()));
  }

  private List<String> arguments(MemberPlace place) {
    Path own = config.directory().resolve(Integer.toString(place.id()));
    List<String> arguments = new ArrayList<>(List.of("node", "--end-with-input"));
    arguments.addAll(config.nodeOptions());
    arguments.addAll(List.of("--id", Integer.toString(place.id()), "--members", members));
    arguments.addAll(List.of("--data", own.toString(), "--host", config.host()));
    arguments.addAll(List.of("--port", Integer.toString(place.port())));
    arguments.addAll(List.of("--http-port", Integer.toString(place.httpPort())));
    config
        .driverDirectoryOf(place.id())
        .ifPresent(driver -> arguments.addAll(List.of("--driver-directory", driver.toString())));
    // Later, whoever has lost his directory must not vote as if he had never promised anything.
    arguments.add("--bootstrap=" + (!file.hasBegun() && !ClusterMember.hasDirectory(own)));
    return arguments;
  }

  private void hear(Event event, Interruption interruption) {
    Seat seat = event.seat();
    if (event.line() == null) {
      lose(seat, interruption);
    } else {
      seat.hear(event.line());
      tellOfLeader();
    }
  }

  private void lose(Seat seat, Interruption interruption) {
    interruption.pause(GRACE);
    MemberProcess lost = seat.process().orElseThrow();
    Duration wait = seat.lose(System.nanoTime());
    isComplete = false;
    if (interruption.isRequested()) {
      return;
    }
    // Killed from outside, it says nothing of it.
    String why = lost.status() > 128 ? "" : lost.lastWords();
    String words =
        "Member %d, process %d, exited with status %d%s"
            .formatted(
                seat.place().id(), lost.pid(), lost.status(), why.isEmpty() ? "" : ": " + why);
    if (!seat.hasServed()) {
      throw new CommandException(words);
    }
    tell.accept("%s; restarting in %.1f s".formatted(words, wait.toMillis() / 1_000.0));
  }

  private void tellOfLeader() {
    Optional<Seat> leader = seats.stream().filter(Seat::isLeading).findFirst();
    if (leader.isEmpty()) {
      return;
    }
    int id = leader.get().place().id();
    long term = leader.get().term();
    if (!isComplete && seats.stream().allMatch(Seat::isReady)) {
      isComplete = true;
      toldTerm = term;
      tell.accept("The cluster is ready: member %d leads, term %d".formatted(id, term));
      if (!file.hasBegun()) {
        file = file.begun();
        file.write(config.directory());
      }
    } else if (toldTerm >= 0 && term > toldTerm) {
      toldTerm = term;
      tell.accept("Member %d leads, term %d".formatted(id, term));
    }
  }

  /** Ends all, and returns when they have ended. */
  @Override
  public void close() {
    List<MemberProcess> left = seats.stream().flatMap(seat -> seat.process().stream()).toList();
    left.forEach(MemberProcess::end);
    long deadlineNs = System.nanoTime() + config.patience().toNanos();
    for (MemberProcess process : left) {
      if (!process.awaitEnd(Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime())))) {
        tell.accept("Process %d did not stop in time and was killed.".formatted(process.pid()));
        process.kill();
      }
    }
    lock.close();
  }

  /**
   * @param line that its process has printed; null: it has ended
   */
  private record Event(Seat seat, String line) {}
}
