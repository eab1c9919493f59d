package io.entroq.engine.recovery;

import io.entroq.engine.snapshot.SnapshotDamagedException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Tells the operator that a snapshot is of no use, though the directory could be opened. */
public final class SnapshotWarning {
  private static final Logger LOGGER = System.getLogger(SnapshotWarning.class.getName());

  private SnapshotWarning() {}

  /** Hears of snapshots that are passed over. */
  @FunctionalInterface
  public interface Listener {
    /** One was; the exception says which, where, and what is wrong. */
    void onPassedOver(SnapshotDamagedException why);
  }

  /** Writes it to the log of the application. */
  public static void log(SnapshotDamagedException why) {
    LOGGER.log(Level.WARNING, text(why));
  }

  /** What was wrong, and that nothing has to be done at once. */
  static String text(SnapshotDamagedException why) {
    return ("%s. It was passed over, as what comes before it and the log say the same. Move %s out of"
            + " the data directory, so that it is not read again.")
        .formatted(why.trouble(), why.file().toAbsolutePath().getParent());
  }
}
