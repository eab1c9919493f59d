package io.entroq.perf.engine;

import io.entroq.api.Claim;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.Backlog;
import io.entroq.perf.fixture.Engines;
import io.entroq.perf.fixture.TaskCycle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A directory with a backlog, its snapshot, and log behind that; opened again and again, and
 * brought back each time to what it was.
 */
final class OpenedDirectory {
  private static final String INBOX = "inbox";

  private final Path directory;
  private Set<Path> prepared = Set.of();

  /**
   * @param directory need not exist
   */
  OpenedDirectory(Path directory) {
    this.directory = directory;
  }

  /** Fills it; the log behind the snapshot is that of tasks claimed, deleted and replaced. */
  void prepare(long tasks, int valueBytes, long tailBytes) throws IOException {
    try (EmbeddedEntroQ queue = Engines.openWithoutSnapshots(directory)) {
      new Backlog(queue, INBOX, valueBytes).growTo(tasks);
    }
    Engines.takeSnapshot(directory);
    try (EmbeddedEntroQ queue = Engines.openWithoutSnapshots(directory)) {
      TaskCycle cycle = new TaskCycle(queue);
      Claim claim = Claim.from(INBOX);
      while (queue.stats().appendedBytes() < tailBytes) {
        cycle.run(claim);
      }
    }
    prepared = Set.copyOf(paths());
  }

  /** Opens it, claims a task, closes it, and takes away what that has left. */
  Opening openOnce() throws IOException {
    Opening opening = open();
    for (Path path : paths()) {
      if (!prepared.contains(path)) {
        Files.delete(path);
      }
    }
    return opening;
  }

  private Opening open() {
    Claim claim = Claim.from(INBOX);
    long startNs = System.nanoTime();
    long openedNs;
    long claimedNs;
    try (EmbeddedEntroQ queue = Engines.openWithoutSnapshots(directory)) {
      openedNs = System.nanoTime();
      boolean isClaimed = queue.tryClaim(claim).isPresent();
      claimedNs = System.nanoTime();
      if (!isClaimed) {
        throw new IllegalStateException("there was nothing to claim in " + directory);
      }
    }
    return Opening.of(startNs, openedNs, claimedNs, System.nanoTime());
  }

  /** All files and directories, what is in a directory before it. */
  private List<Path> paths() throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
