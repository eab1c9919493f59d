package io.entroq.perf.peers.run;

import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.commons.io.FileUtils;

/**
 * A peer at one durability class during a run. It is started for its first turn, and paused between
 * turns, or closed if it cannot pause. Another thread may close it when the process exits.
 */
// Ending may wait for others, and be interrupted.
@SuppressWarnings("try")
final class Deployment implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration STEP_LIMIT = Duration.ofSeconds(30);

  /** A peer with this many failures is dropped from its class. */
  private static final int FAILURES_MAX = 2;

  private final Peer peer;
  private final DurabilityClass durability;
  private final Path directory;
  private Optional<Server> server = Optional.empty();
  private String version = "";
  private String failure = "";
  private boolean isPaused;
  private int failures;
  private int queues;

  Deployment(Peer peer, DurabilityClass durability, Path directory) {
    this.peer = peer;
    this.durability = durability;
    this.directory = directory.resolve(peer.id() + "-" + durability);
  }

  Peer peer() {
    return peer;
  }

  DurabilityClass durability() {
    return durability;
  }

  /** The peer's version; empty before the first turn. */
  String version() {
    return version;
  }

  /** Why it was dropped from its class; empty if it was not. */
  Optional<String> dropped() {
    return failures < FAILURES_MAX ? Optional.empty() : Optional.of(failure);
  }

  /** Starts or resumes the peer, unless it is running. */
  synchronized void beginTurn() throws Exception {
    if (server.isEmpty()) {
      Files.createDirectories(directory);
      server =
          Optional.of(
              Limited.call(
                  peer.name() + ": starting",
                  START_LIMIT,
                  () -> peer.start(durability, directory)));
      version = server.get().version();
    } else if (isPaused) {
      limited("resuming", server.get()::resume);
      isPaused = false;
    }
  }

  /** Measures one shape in a queue of its own. */
  Measured measure(Shape shape, Timing timing) throws Exception {
    Server running = server.orElseThrow();
    String name = "tasks" + ++queues;
    LoadTarget queue =
        Limited.call(
            peer.name() + ": creating a queue", STEP_LIMIT, () -> running.createQueue(name, shape));
    Measured measured = new Measurement(shape, timing).run(queue);
    limited("removing a queue", queue::close);
    return measured;
  }

  /** Ends the peer after a failure, so that the next measurement starts it again. */
  synchronized String failed(Exception e) {
    failure = e.getMessage() == null ? e.toString() : e.getMessage();
    failures++;
    try {
      close();
    } catch (Exception atEnd) {
      failure += "; then " + atEnd.getMessage();
    }
    return failure;
  }

  /** Pauses or closes the peer. */
  synchronized void endTurn() throws Exception {
    if (server.isPresent() && server.get().canPause()) {
      limited("pausing", server.get()::pause);
      isPaused = true;
    } else {
      close();
    }
  }

  /** Ends the peer and removes its files. */
  @Override
  public synchronized void close() throws Exception {
    try {
      if (server.isPresent()) {
        Server running = server.get();
        server = Optional.empty();
        isPaused = false;
        limited("ending", running::close);
      }
    } finally {
      removeFiles();
    }
  }

  private void removeFiles() throws IOException {
    FileUtils.deleteDirectory(directory.toFile());
  }

  private void limited(String what, Step step) throws Exception {
    Limited.call(
        peer.name() + ": " + what,
        STEP_LIMIT,
        () -> {
          step.run();
          return null;
        });
  }

  private interface Step {
    void run() throws Exception;
  }
}
