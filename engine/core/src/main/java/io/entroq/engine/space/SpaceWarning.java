package io.entroq.engine.space;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;

/** Tells the operator, once each time, that room runs out and that it is back. */
final class SpaceWarning {
  private static final Logger LOGGER = System.getLogger(SpaceWarning.class.getName());

  private SpaceWarning() {}

  static void log(Path directory, SpaceLevel level, long usableBytes, SpaceFloors floors) {
    LOGGER.log(Level.WARNING, text(directory, level, usableBytes, floors));
  }

  /** Says how much is free, and why it may be nothing. */
  static String free(Path directory, long usableBytes) {
    return "%,d bytes are free on the file system of %s%s"
        .formatted(
            Math.max(0, usableBytes),
            directory.toAbsolutePath(),
            usableBytes > 0 ? "" : ", or it is read-only, or gone");
  }

  /** No pattern: what a path holds is not to be taken for one. */
  private static String text(
      Path directory, SpaceLevel level, long usableBytes, SpaceFloors floors) {
    String free = free(directory, usableBytes);
    return switch (level) {
      case ENOUGH -> free + ": the disk has room again, and nothing is refused any more";
      case LOW ->
          ("%s, and diskLowBytes is %,d: inserts are refused until there are more; claims, changes,"
                  + " deletes and reads go on. Make room")
              .formatted(free, floors.lowBytes());
      case FULL ->
          ("%s, and diskFullBytes is %,d: everything but reads is refused until there are more."
                  + " Make room before less than the reserve of %,d is left, or the engine may end")
              .formatted(free, floors.fullBytes(), floors.reserveBytes());
    };
  }
}
