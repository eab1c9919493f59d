package io.entroq.server.cli.admin;

import io.entroq.codec.wire.published.admin.StatusResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether members agree on who leads.
 *
 * @param leader the one that most members follow; -1: none
 * @param term of that leader
 * @param following the members that follow it in that term, itself included if it has answered
 * @param members size of the cluster; 0: no member has answered
 */
record Agreement(int leader, long term, Set<Integer> following, int members) {
  /** From the answers; a member that was asked twice counts once. */
  static Agreement of(List<StatusResponse> answers) {
    Agreement best = new Agreement(-1, -1, Set.of(), 0);
    for (StatusResponse answer : answers) {
      Agreement one = following(answer, answers);
      if (one.rank() > best.rank()) {
        best = one;
      }
    }
    return best;
  }

  /** More followers win, then the newer term. */
  private long rank() {
    return members == 0 ? -1 : ((long) following.size() << 48) + term + 1;
  }

  private static Agreement following(StatusResponse example, List<StatusResponse> answers) {
    Set<Integer> following = new HashSet<>();
    for (StatusResponse answer : answers) {
      if (StatusText.isInTouch(answer)
          && answer.getLeaderId() == example.getLeaderId()
          && answer.getTerm() == example.getTerm()) {
        following.add(answer.getMemberId());
      }
    }
    return new Agreement(
        StatusText.isInTouch(example) ? example.getLeaderId() : -1,
        example.getTerm(),
        Set.copyOf(following),
        example.getMembersCount());
  }

  /** Whether a majority follows the leader. */
  boolean isMajority() {
    return 2 * following.size() > members && members > 0 && leader >= 0;
  }

  /**
   * A sentence for people. A member that does not answer here may still answer the leader.
   *
   * @param named how many members were given
   */
  String text(int named) {
    if (members == 0) {
      return "No member answers.";
    }
    if (leader < 0) {
      return "No member has a leader.";
    }
    List<Integer> sorted = new ArrayList<>(following);
    sorted.sort(null);
    return "Member %d leads in term %d; %d of %d members follow it: %s"
        .formatted(
            leader,
            term,
            sorted.size(),
            members,
            isMajority() ? "a majority." : "no majority." + unnamed(named));
  }

  private String unnamed(int named) {
    int unnamed = members - named;
    return unnamed > 0 ? " %d %s not asked.".formatted(unnamed, unnamed == 1 ? "was" : "were") : "";
  }
}
