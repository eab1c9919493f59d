package io.entroq.engine.log.scan;

import io.entroq.engine.log.LogDamagedException;
import java.nio.file.Path;

/**
 * What makes a log unfit to go on from.
 *
 * @param file the segment file, or the run, at fault
 * @param offset byte offset in the file
 * @param sequence the first record that is missing or bad
 * @param what what is wrong there
 */
public record Damage(Path file, long offset, long sequence, String what) {
  /** What the operator can do. */
  public String advice() {
    return ("Restore the directory from a backup; or cut the log there with"
            + " `log repair --cut-at %d`, which gives up record %d and all behind it.")
        .formatted(sequence, sequence);
  }

  LogDamagedException toException() {
    String message =
        "The log is damaged: %s at offset %d, record %d: %s. %s"
            .formatted(file, offset, sequence, what, advice());
    return new LogDamagedException(message, file, offset, sequence);
  }
}
