package io.entroq.perf.engine;

import io.entroq.api.Claim;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.CleanCloseMarker;
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

/** A directory with a backlog, its snapshot and a log tail. Each opening leaves it as it was. */
final class OpenedDirectory {
  private static final String INBOX = "inbox";

  private final Path directory;
  private Set<Path> prepared = Set.of();

  OpenedDirectory(Path directory) {
    this.directory = directory;
  }

  /** Fills it; the log tail is that of tasks that are claimed and replaced. */
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

  /** Opens it, claims a task, closes it, and removes the files that this created. */
  Opening openOnce() throws IOException {
    Opening opening = open();
    for (Path path : paths()) {
      if (!prepared.contains(path)) {
        Files.delete(path);
      }
    }
    // It names the last record, which is gone again.
    Files.deleteIfExists(CleanCloseMarker.fileIn(directory));
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
        throw new IllegalStateException("nothing to claim in " + directory);
      }
    }
    long closedNs = System.nanoTime();
    return new Opening(
        (openedNs - startNs) / 1e6, (claimedNs - openedNs) / 1e6, (closedNs - claimedNs) / 1e6);
  }

  /** All files and directories, the contents of a directory before it. */
  private List<Path> paths() throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.sorted(Comparator.reverseOrder()).toList();
    }
  }

  /** How long the engine took to open, to answer a claim after that, and to close. */
  record Opening(double openMs, double claimMs, double closeMs) {
    double totalMs() {
      return openMs + claimMs;
    }
  }
}
