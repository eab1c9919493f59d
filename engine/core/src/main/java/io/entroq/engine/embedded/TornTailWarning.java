package io.entroq.engine.embedded;

import io.entroq.engine.log.scan.TornTail;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;

/** Warns the operator that recovery has cut off the end of the log, and what that means. */
final class TornTailWarning {
  private static final Logger LOGGER = System.getLogger(TornTailWarning.class.getName());

  private TornTailWarning() {}

  static void log(Path directory, TornTail tail) {
    LOGGER.log(Level.WARNING, text(directory, tail));
  }

  /** Not a message pattern: the path may contain braces. */
  private static String text(Path directory, TornTail tail) {
    return ("The log in %s has a torn end: %s at offset %d: %s. It continues after record %d; %d"
            + " bytes after that were dropped. A crash leaves such bytes of unfinished writes. After"
            + " a power failure at a durability below DISK, they may belong to acknowledged records")
        .formatted(
            directory.toAbsolutePath(),
            tail.file(),
            tail.offset(),
            tail.what(),
            tail.afterSequence(),
            tail.nonZeroBytes());
  }
}
