package io.entroq.engine.snapshot;

import io.entroq.engine.log.LogException;
import java.nio.file.Path;

/**
 * A snapshot differs from what was written, so it is not used. The message names the file, the
 * offset and what the operator can do.
 */
public final class SnapshotDamagedException extends LogException {
  private static final long serialVersionUID = 1L;

  private final transient Path file;
  private final long offset;
  private final String trouble;

  /**
   * @param file the file at fault
   * @param offset in it, in bytes
   * @param what is wrong there
   */
  public SnapshotDamagedException(Path file, long offset, String what) {
    super(
        Severity.ERROR,
        ("%s. Move %s out of the data directory: the engine then starts from an older snapshot or"
                + " from the log alone, and refuses if the log does not reach back far enough. If it"
                + " refuses, restore from a backup or from another member.")
            .formatted(trouble(file, offset, what), file.toAbsolutePath().getParent()));
    this.file = file;
    this.offset = offset;
    this.trouble = trouble(file, offset, what);
  }

  private static String trouble(Path file, long offset, String what) {
    return "The snapshot is damaged: %s at offset %d: %s".formatted(file, offset, what);
  }

  /** File, offset and fault, without the advice and without a full stop. */
  public String trouble() {
    return trouble;
  }

  /** The file at fault. */
  public Path file() {
    return file;
  }

  /** Offset in the file, in bytes. */
  public long offset() {
    return offset;
  }
}
