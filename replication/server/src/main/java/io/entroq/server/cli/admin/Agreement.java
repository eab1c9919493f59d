package io.entroq.server.cli.admin;

import io.entroq.codec.wire.published.admin.StatusResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether members agree on a leader.
 *
 * @param leader the id that most members follow; -1: none
 * @param term the leader's term
 * @param following ids of the members that follow it in that term, including its own if it answered
 * @param members size of the cluster; 0 if no member answered
 */
record Agreement(int leader, long term, Set<Integer> following, int members) {
  /** Evaluates the answers. A member that answered twice counts once. */
  static Agreement of(List<StatusResponse> answers) {
    Agreement best = new Agreement(-1, -1, Set.of(), 0);
    for (StatusResponse answer : answers) {
      Agreement agreement = following(answer, answers);
      if (agreement.rank() > best.rank()) {
        best = agreement;
      }
    }
    return best;
  }

  /** More followers rank higher, then the newer term. */
  private long rank() {
    return members == 0 ? -1 : ((long) following.size() << 48) + term + 1;
  }

  private static Agreement following(StatusResponse example, List<StatusResponse> answers) {
    Set<Integer> following = new HashSet<>();
    for (StatusResponse answer : answers) {
      if (StatusText.hasLeader(answer)
          && answer.getLeaderId() == example.getLeaderId()
          && answer.getTerm() == example.getTerm()) {
        following.add(answer.getMemberId());
      }
    }
    return new Agreement(
        StatusText.hasLeader(example) ? example.getLeaderId() : -1,
        example.getTerm(),
        Set.copyOf(following),
        example.getMembersCount());
  }

  /** Whether all members follow the leader. */
  boolean isComplete() {
    return isMajority() && following.size() == members;
  }

  /** Whether a majority follows the leader. */
  boolean isMajority() {
    return 2 * following.size() > members && members > 0 && leader >= 0;
  }

  /**
   * A human-readable sentence.
   *
   * @param asked the number of members that were asked
   */
  String text(int asked) {
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
            (isMajority() ? "a majority." : "no majority.") + unasked(asked));
  }

  private String unasked(int asked) {
    int unasked = members - asked;
    return unasked > 0 ? " %d %s not asked.".formatted(unasked, unasked == 1 ? "was" : "were") : "";
  }
}
