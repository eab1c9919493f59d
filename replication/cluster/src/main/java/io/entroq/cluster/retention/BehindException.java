package io.entroq.cluster.retention;

/**
 * This member has been away for longer than the others keep the log: it cannot catch up, and has to
 * be replaced, which begins from a copy of a healthy member.
 */
public final class BehindException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param endPosition up to where it has the log, in bytes
   * @param keptPosition from where on others have it, in bytes
   */
  BehindException(int memberId, long endPosition, long keptPosition) {
    super(
        ("member %d has the log up to position %,d, and the others keep it from position %,d on, so it"
                + " cannot catch up. Move its directory away and replace the member from a healthy one;"
                + " do not start it empty, or it votes as if it had never promised anything. A larger"
                + " logBytesMax keeps more for members that are away")
            .formatted(memberId, endPosition, keptPosition));
  }
}
