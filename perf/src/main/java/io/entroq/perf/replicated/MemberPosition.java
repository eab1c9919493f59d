package io.entroq.perf.replicated;

/**
 * What a member is at.
 *
 * @param isLeader whether it leads
 * @param isInTouch whether it follows a leader, or is one
 * @param commitPosition bytes of the log that a majority has
 * @param appliedSequence of the last record whose effects its state has
 * @param snapshots how many it has taken
 */
record MemberPosition(
    boolean isLeader,
    boolean isInTouch,
    long termId,
    long commitPosition,
    long appliedSequence,
    long snapshots) {
  static MemberPosition parse(String line) {
    String[] words = line.split(" ", -1);
    return new MemberPosition(
        words[0].equals("LEADER"),
        words[1].equals("CLOSED"),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]),
        Long.parseLong(words[5]));
  }
}
