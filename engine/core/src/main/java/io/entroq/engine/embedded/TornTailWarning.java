package io.entroq.engine.embedded;

import io.entroq.engine.log.scan.TornTail;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;

/** Warns the operator of what recovery has cut off the log, and what that means. */
final class TornTailWarning {
  private static final Logger LOGGER = System.getLogger(TornTailWarning.class.getName());

  private TornTailWarning() {}

  static void log(Path directory, TornTail tail) {
    LOGGER.log(Level.WARNING, text(directory, tail));
  }

  /** Not a pattern: a path may contain anything. */
  private static String text(Path directory, TornTail tail) {
    return ("The log in %s ends torn: %s at offset %d: %s. It goes on behind record %d; %d bytes"
            + " behind it were dropped. A crash leaves such bytes of what was being written; after"
            + " a loss of power, at a level below DISK, they may be of records that had been"
            + " acknowledged")
        .formatted(
            directory.toAbsolutePath(),
            tail.file(),
            tail.offset(),
            tail.what(),
            tail.afterSequence(),
            tail.nonZeroBytes());
  }
}
