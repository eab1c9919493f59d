package io.entroq.cluster.aeron;

import java.util.Random;

/**
 * How long a member waits before it stands for election. Members with lower numbers stand first, so
 * that two of them seldom split the votes; chance moves each within its part of a ballot's time.
 */
@SuppressWarnings("serial")
public final class CandidateOrder extends Random {
  /** The length of a ballot. The consensus module multiplies the wait by half of that. */
  private static final double BALLOT = 2;

  /** Members with neighboring numbers are apart by at least this share of a part. */
  private static final double GAP = 0.75;

  private final int memberId;
  private final int members;

  /**
   * @param memberId from 0
   * @param members of the cluster
   */
  public CandidateOrder(int memberId, int members) {
    this.memberId = memberId;
    this.members = members;
  }

  /** The wait, in half ballots. */
  @Override
  public double nextDouble() {
    return BALLOT * (memberId + (1 - GAP) * super.nextDouble()) / members;
  }
}
