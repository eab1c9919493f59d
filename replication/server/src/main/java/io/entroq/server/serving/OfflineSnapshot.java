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
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

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
        EngineStats stats = queue.stats();
        SnapshotStats snapshots = stats.snapshots();
        if (snapshots.sequence() >= stats.appendedSequence()) {
          return Optional.of(snapshots);
        }
        if (snapshots.failed() > 0) {
          throw new CommandException("the snapshot failed; the log is intact");
        }
        interruption.pause(POLL_INTERVAL);
      }
      return Optional.empty();
    }
  }
}
