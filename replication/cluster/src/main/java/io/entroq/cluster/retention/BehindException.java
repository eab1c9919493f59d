package io.entroq.cluster.retention;

/**
 * This member was away for longer than the others keep the log. It cannot catch up and must be
 * replaced with a copy of a healthy member.
 */
public final class BehindException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param endPosition end of this member's log, in bytes
   * @param keptPosition start of the other members' log, in bytes
   */
  BehindException(int memberId, long endPosition, long keptPosition) {
    super(
        ("the log of member %d ends at position %,d, and that of the other members starts at position"
                + " %,d, so it cannot catch up. Move its directory away and replace the member from a"
                + " healthy one; do not start it empty, or it could vote against what it has"
                + " acknowledged. A larger logBytesMax keeps more log for members that are away")
            .formatted(memberId, endPosition, keptPosition));
  }
}
