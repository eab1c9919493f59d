package io.entroq.cluster.member;

/**
 * What a member is at, as it knows itself.
 *
 * @param memberId from 0
 * @param role {@code LEADER}, {@code FOLLOWER} or {@code CANDIDATE}
 * @param election {@code CLOSED}: it follows a leader, or is one; else how far it has come to that
 * @param leaderId which member leads, to whom this one has its session; negative: none that it
 *     knows
 * @param termId of the leadership, from 0; negative: none yet
 * @param commitPosition bytes of the log that a majority has, as far as it knows
 * @param appliedPosition bytes of the log whose effects its state has
 * @param appliedSequence of the last record whose effects its state has
 * @param snapshots how many it has taken since it began
 */
public record MemberStatus(
    int memberId,
    String role,
    String election,
    int leaderId,
    long termId,
    long commitPosition,
    long appliedPosition,
    long appliedSequence,
    long snapshots) {
  /** How many bytes of the log a majority has, as far as it knows, that its state has not. */
  public long lagBytes() {
    return Math.max(0, commitPosition - appliedPosition);
  }

  /** Whether it leads. */
  public boolean isLeader() {
    return role.equals("LEADER");
  }

  /** Whether it follows a leader, or is one, so that it serves. */
  public boolean isInTouch() {
    return election.equals("CLOSED");
  }
}
