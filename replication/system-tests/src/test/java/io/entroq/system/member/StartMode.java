package io.entroq.system.member;

import io.entroq.cluster.member.MemberReplacement;
import io.entroq.cluster.member.MemberState;
import io.entroq.cluster.member.MemberStatus;
import java.util.Optional;

/**
 * How a member starts.
 *
 * @param isFirst in an empty directory, with the others of a new cluster
 * @param source of what it has lost, which it copies before
 */
record StartMode(boolean isFirst, Optional<MemberReplacement.Source> source) {
  static final StartMode FIRST = new StartMode(true, Optional.empty());
  static final StartMode AGAIN = new StartMode(false, Optional.empty());

  /** With a copy from the leader. */
  static StartMode copyFrom(MemberStatus leader, MemberState state) {
    return copyFrom(
        new MemberReplacement.Source(
            leader.memberId(),
            leader.termId(),
            leader.commitPosition(),
            state.clusterIdHigh(),
            state.clusterIdLow(),
            // Trials do not change the members.
            0));
  }

  private static StartMode copyFrom(MemberReplacement.Source source) {
    return new StartMode(false, Optional.of(source));
  }

  String text() {
    return source
        .map(
            from ->
                "%d,%d,%d,%d,%d"
                    .formatted(
                        from.leaderId(),
                        from.term(),
                        from.commitPosition(),
                        from.idHigh(),
                        from.idLow()))
        .orElse(Boolean.toString(isFirst));
  }

  /** The reverse of {@link #text}. */
  static StartMode read(String text) {
    String[] parts = text.split(",", -1);
    return parts.length == 1
        ? new StartMode(Boolean.parseBoolean(text), Optional.empty())
        : copyFrom(
            new MemberReplacement.Source(
                Integer.parseInt(parts[0]),
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]),
                Long.parseLong(parts[3]),
                Long.parseLong(parts[4]),
                0));
  }
}
