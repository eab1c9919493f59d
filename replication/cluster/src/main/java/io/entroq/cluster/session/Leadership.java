package io.entroq.cluster.session;

/**
 * The leader of a member's session.
 *
 * @param termId leadership term; negative if there is no known leader
 * @param memberId the leader
 */
public record Leadership(long termId, int memberId) {
  /** No known leader. */
  public static final Leadership NONE = new Leadership(-1, -1);
}
