package io.entroq.engine.log.scan;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;

/**
 * Something is wrong with a log that an engine goes on from all the same, and loses nothing.
 *
 * @param file the segment, or the run
 * @param offset byte offset in the file
 * @param sequence the record that is bad or missing, the first of several; 0: it is not about one
 * @param what what is wrong there
 * @param text the whole of it, and what to do
 */
public record LogWarning(Path file, long offset, long sequence, String what, String text) {
  private static final Logger LOGGER = System.getLogger(LogWarning.class.getName());

  /** Writes it to the log of the application. */
  public void log() {
    // No pattern: what a path holds is not to be taken for one.
    LOGGER.log(Level.WARNING, text);
  }

  /** Records that the snapshot holds are bad or missing. */
  static LogWarning ofCovered(
      Path file, long offset, long first, long last, long snapshot, String what) {
    String which =
        first == last ? "record %d".formatted(first) : "record %d to %d".formatted(first, last);
    String text =
        ("The log is damaged where nothing depends on it: %s at offset %d, %s: %s. The snapshot at"
                + " record %d holds it, and all behind that is good: nothing is lost. Take a backup"
                + " now; the damaged segment goes with later snapshots. Do NOT cut the log.")
            .formatted(file, offset, which, what, snapshot);
    return new LogWarning(file, offset, first, what, text);
  }

  /** A file is missing all of whose records the snapshot holds. */
  static LogWarning ofMissing(Path run, long snapshot, String what) {
    String text =
        ("The log is damaged where nothing depends on it: %s: %s. The snapshot at record %d holds"
                + " what was in it, and all behind that is good: nothing is lost. Take a backup now."
                + " Do NOT cut the log.")
            .formatted(run, what, snapshot);
    return new LogWarning(run, 0, 0, what, text);
  }

  /** A segment goes on where the one before ends, and its name does not. */
  static LogWarning ofRenamed(Path file, long first, String name) {
    String what = "it goes on with record %d where the file before ends".formatted(first);
    String text =
        "%s: %s, so it should be %s. Nothing is missing; give it that name."
            .formatted(file, what, name);
    return new LogWarning(file, 0, 0, what, text);
  }

  /** The last segment of a run is too short to have been one. */
  static LogWarning ofShortSegment(Path file, long bytes) {
    String what = "the last segment of its run has %d bytes and no record".formatted(bytes);
    String text =
        ("%s: %s. A crash may leave that of a segment that was just begun. If it was longer once,"
                + " restore the directory from a backup.")
            .formatted(file, what);
    return new LogWarning(file, 0, 0, what, text);
  }
}
