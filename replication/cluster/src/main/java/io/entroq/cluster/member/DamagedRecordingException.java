package io.entroq.cluster.member;

import java.nio.file.Path;

/**
 * What this member has on its disk is not what it has written there: its log, or the snapshot that
 * it was to begin with.
 */
public final class DamagedRecordingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isOfSnapshot;

  private DamagedRecordingException(String message, boolean isOfSnapshot, Throwable cause) {
    super(message, cause);
    this.isOfSnapshot = isOfSnapshot;
  }

  /**
   * Of the log.
   *
   * @param offset in the file, in bytes
   * @param cause what the archive says
   */
  static DamagedRecordingException ofLog(
      int memberId, Path file, long position, long offset, Throwable cause) {
    return new DamagedRecordingException(
        ("the log of member %d is damaged at position %,d, in the frame at byte %,d of %s. Nothing from"
                + " there on is applied, or given to others. Move the directory away and replace the"
                + " member from a healthy one; do not start it empty")
            .formatted(memberId, position, offset, file),
        false,
        cause);
  }

  /** Of the newest snapshot. */
  static DamagedRecordingException ofSnapshot(
      int memberId, Path file, long offset, Throwable cause) {
    return new DamagedRecordingException(
        ("the snapshot is damaged, in the frame at byte %,d of %s. Start member %d once more: it begins"
                + " from the one before. If there is none, replace it from a healthy one")
            .formatted(offset, file, memberId),
        true,
        cause);
  }

  /** Whether it is of a snapshot, and not of the log. */
  public boolean isOfSnapshot() {
    return isOfSnapshot;
  }
}
