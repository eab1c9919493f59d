package io.entroq.cluster.member;

import java.nio.file.Path;

/** This member's log, or the snapshot that it starts with, is damaged on its disk. */
public final class DamagedRecordingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isOfSnapshot;

  private DamagedRecordingException(String message, boolean isOfSnapshot, Throwable cause) {
    super(message, cause);
    this.isOfSnapshot = isOfSnapshot;
  }

  /**
   * @param position in the log
   * @param offset in the file, in bytes
   * @param cause the archive's error
   */
  static DamagedRecordingException ofLog(
      int memberId, Path file, long position, long offset, Throwable cause) {
    return new DamagedRecordingException(
        ("the log of member %d is damaged at position %,d, in the frame at byte %,d of %s. The member"
                + " neither applies nor sends anything from there on. Move the directory away and"
                + " replace the member from a healthy one; do not start it empty")
            .formatted(memberId, position, offset, file),
        false,
        cause);
  }

  static DamagedRecordingException ofSnapshot(
      int memberId, Path file, long offset, Throwable cause) {
    return new DamagedRecordingException(
        ("the snapshot is damaged in the frame at byte %,d of %s. Restart member %d: it begins with the"
                + " previous snapshot. If there is none, replace the member from a healthy one")
            .formatted(offset, file, memberId),
        true,
        cause);
  }

  /** Whether a snapshot is damaged, not the log. */
  public boolean isOfSnapshot() {
    return isOfSnapshot;
  }
}
