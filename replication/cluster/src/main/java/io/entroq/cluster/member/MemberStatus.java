package io.entroq.cluster.member;

/**
 * The status of a member, as it knows it.
 *
 * @param memberId from 0
 * @param role {@code LEADER}, {@code FOLLOWER} or {@code CANDIDATE}
 * @param election {@code CLOSED}: the member follows a leader, or leads; otherwise the election
 *     state
 * @param leaderId the leader of the member's session; negative if it has none
 * @param termId leadership term, from 0; negative if there is none yet
 * @param commitPosition bytes of the log that a majority has, as far as this member knows
 * @param appliedPosition bytes of the log that the state reflects
 * @param appliedSequence the last record that the state reflects
 * @param snapshots taken since the start
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
  /** Committed bytes of the log that are not applied yet. */
  public long lagBytes() {
    return Math.max(0, commitPosition - appliedPosition);
  }

  public boolean isLeader() {
    return role.equals("LEADER");
  }

  /** Whether the member follows a leader, or leads. */
  public boolean hasLeader() {
    return election.equals("CLOSED");
  }
}
