package io.entroq.engine.recovery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Tells the operator that a snapshot is of no use, though the directory could be opened. */
public final class SnapshotWarning {
  private static final Logger LOGGER = System.getLogger(SnapshotWarning.class.getName());

  private SnapshotWarning() {}

  /** Hears of snapshots that are passed over. */
  @FunctionalInterface
  public interface Listener {
    /** One was; the message of the exception says which, where, and what is wrong. */
    void onPassedOver(RuntimeException why);
  }

  /** Writes it to the log of the application. */
  public static void log(RuntimeException why) {
    LOGGER.log(
        Level.WARNING,
        "A snapshot was passed over; what comes before it and the log say the same. "
            + why.getMessage());
  }
}
