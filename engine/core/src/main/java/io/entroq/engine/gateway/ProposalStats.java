package io.entroq.engine.gateway;

/**
 * What callers of a replica wait for, as it is now.
 *
 * @param requestsInFlight requests under way, claims that wait left out
 * @param unsent commands that nobody has taken yet to put them in order
 * @param unanswered commands that somebody has taken, and that have not come out
 * @param oldestNs for how long the oldest of both has been waiting, in nanoseconds; 0: there is
 *     none
 */
public record ProposalStats(int requestsInFlight, int unsent, int unanswered, long oldestNs) {
  /** Nobody waits. */
  public static final ProposalStats NONE = new ProposalStats(0, 0, 0, 0);
}
