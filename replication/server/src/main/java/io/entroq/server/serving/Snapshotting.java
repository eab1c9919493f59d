package io.entroq.server.serving;

import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.embedded.EngineStats;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.server.settings.Settings;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.util.Optional;

/** Takes a snapshot of a directory and serves nobody meanwhile. */
public final class Snapshotting {
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(20);

  private Snapshotting() {}

  /**
   * Takes it, unless the newest one has all there is.
   *
   * @param interruption ends it before
   * @return the newest one; empty if it was interrupted
   * @throws CommandException if it cannot be taken
   */
  public static Optional<SnapshotStats> take(Settings settings, Interruption interruption) {
    try (EmbeddedEntroQ queue = new EngineSetUp(settings).openForSnapshot()) {
      while (!interruption.isRequested()) {
        EngineStats figures = queue.stats();
        SnapshotStats snapshots = figures.snapshots();
        if (snapshots.sequence() >= figures.appendedSequence()) {
          return Optional.of(snapshots);
        }
        if (snapshots.failed() > 0) {
          throw new CommandException("the snapshot failed; the log is intact without it");
        }
        interruption.pause(LOOK_INTERVAL);
      }
      return Optional.empty();
    }
  }
}
