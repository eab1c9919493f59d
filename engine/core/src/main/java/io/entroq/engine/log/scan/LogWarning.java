package io.entroq.engine.log.scan;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;

/**
 * A defect of a log with which nothing is lost and the engine can start.
 *
 * @param file the segment or run
 * @param offset byte offset in the file
 * @param sequence the first bad or missing record; 0 if no record is
 * @param what what is wrong
 * @param text the full message, with what to do
 */
public record LogWarning(Path file, long offset, long sequence, String what, String text) {
  private static final Logger LOGGER = System.getLogger(LogWarning.class.getName());

  /** Writes it to the application's log. */
  public void log() {
    // Without parameters, so that a path is not parsed as a format.
    LOGGER.log(Level.WARNING, text);
  }

  /** Records that the snapshot includes are bad or missing. */
  static LogWarning ofCovered(
      Path file, long offset, long first, long last, long snapshot, String what) {
    String which =
        first == last ? "record %d".formatted(first) : "record %d to %d".formatted(first, last);
    String text =
        ("The log is damaged, but nothing is lost: %s at offset %d, %s: %s. The snapshot at record %d"
                + " includes it, and everything after it is good. Take a backup now; later snapshots"
                + " remove the damaged segment. Do NOT cut the log.")
            .formatted(file, offset, which, what, snapshot);
    return new LogWarning(file, offset, first, what, text);
  }

  /** A file is missing, but the snapshot includes all its records. */
  static LogWarning ofMissing(Path run, long snapshot, String what) {
    String text =
        ("The log is damaged, but nothing is lost: %s: %s. The snapshot at record %d includes its"
                + " records, and everything after it is good. Take a backup now. Do NOT cut the"
                + " log.")
            .formatted(run, what, snapshot);
    return new LogWarning(run, 0, 0, what, text);
  }

  /** A segment continues the previous one, but its name does not. */
  static LogWarning ofRenamed(Path file, long first, String name) {
    String what = "it continues with record %d where the previous file ends".formatted(first);
    String text =
        "%s: %s, so its name should be %s. Nothing is missing; rename it."
            .formatted(file, what, name);
    return new LogWarning(file, 0, 0, what, text);
  }

  /** The last segment of a run is too short for a segment. */
  static LogWarning ofShortSegment(Path file, long bytes) {
    String what = "the last segment of its run has %d bytes and no record".formatted(bytes);
    String text =
        ("%s: %s. A crash may leave this of a segment that was just created. If it was longer,"
                + " restore the directory from a backup.")
            .formatted(file, what);
    return new LogWarning(file, 0, 0, what, text);
  }
}
