package io.entroq.engine.gateway;

/**
 * What callers of a replica are waiting for now.
 *
 * @param requestsInFlight requests in progress, without waiting claims
 * @param unsent commands not yet sent to be ordered
 * @param unanswered commands sent, but not yet applied here
 * @param oldestNs how long the oldest of both has been waiting, in nanoseconds; 0 if there is none
 */
public record ProposalStats(int requestsInFlight, int unsent, int unanswered, long oldestNs) {
  public static final ProposalStats NONE = new ProposalStats(0, 0, 0, 0);
}
