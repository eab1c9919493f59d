package io.entroq.engine.recovery;

import io.entroq.engine.snapshot.SnapshotDamagedException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Warns the operator of a damaged snapshot without which the directory could be opened. */
public final class SnapshotWarning {
  private static final Logger LOGGER = System.getLogger(SnapshotWarning.class.getName());

  private SnapshotWarning() {}

  /** Is notified of skipped snapshots. */
  @FunctionalInterface
  public interface Listener {
    void onSkipped(SnapshotDamagedException why);
  }

  /** Writes the warning to the application's log. */
  public static void log(SnapshotDamagedException why) {
    LOGGER.log(Level.WARNING, text(why));
  }

  static String text(SnapshotDamagedException why) {
    return ("%s. It was skipped: an older snapshot and the log lead to the same state. Move %s out of the"
            + " data directory, so that it is not read again.")
        .formatted(why.trouble(), why.file().toAbsolutePath().getParent());
  }
}
