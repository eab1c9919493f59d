package io.entroq.server.serving;

import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.server.settings.Settings;
import io.entroq.tools.terminal.CommandException;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.util.Optional;

/** Takes a snapshot of a data directory without serving it. */
public final class OfflineSnapshot {
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(20);

  private OfflineSnapshot() {}

  /**
   * Takes a snapshot, unless the newest one is up to date.
   *
   * @return the newest snapshot; empty if interrupted
   * @throws CommandException if the snapshot fails
   */
  public static Optional<SnapshotStats> take(Settings settings, Interruption interruption) {
    try (EmbeddedEntroQ queue = new EngineFactory(settings).openForSnapshot()) {
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
