package io.entroq.engine.space;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;

/** Warns the operator, once each time, that disk space is short, and that it no longer is. */
final class SpaceWarning {
  private static final Logger LOGGER = System.getLogger(SpaceWarning.class.getName());

  private SpaceWarning() {}

  static void log(Path directory, SpaceLevel level, long usableBytes, SpaceFloors floors) {
    LOGGER.log(Level.WARNING, text(directory, level, usableBytes, floors));
  }

  /** How much is free, and why it may be nothing. */
  static String free(Path directory, long usableBytes) {
    return "%,d bytes are free on the file system of %s%s"
        .formatted(
            Math.max(0, usableBytes),
            directory.toAbsolutePath(),
            usableBytes > 0 ? "" : ", or it is read-only, or gone");
  }

  /** Not a message pattern: the path may contain braces. */
  private static String text(
      Path directory, SpaceLevel level, long usableBytes, SpaceFloors floors) {
    String free = free(directory, usableBytes);
    return switch (level) {
      case ENOUGH -> free + ": that is enough, and nothing is refused any more";
      case LOW ->
          ("%s, and diskLowBytes is %,d: inserts are refused until more are free. Claims, changes,"
                  + " deletes and reads continue. Free some space")
              .formatted(free, floors.lowBytes());
      case FULL ->
          ("%s, and diskFullBytes is %,d: everything but reads is refused until more are free. Free"
                  + " some space: below the reserve of %,d the engine may stop")
              .formatted(free, floors.fullBytes(), floors.reserveBytes());
    };
  }
}
