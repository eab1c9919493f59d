package io.entroq.cluster.session;

/**
 * Who leads, as a member's session knows it.
 *
 * @param termId since when; negative: nobody is known to lead
 * @param memberId who
 */
public record Leadership(long termId, int memberId) {
  /** Nobody. */
  public static final Leadership NONE = new Leadership(-1, -1);
}
