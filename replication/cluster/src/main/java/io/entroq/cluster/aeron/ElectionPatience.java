package io.entroq.cluster.aeron;

import io.aeron.cluster.ElectionState;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Widens the time limits of an election's steps each time that they were too short, so that a slow
 * machine elects a leader at last. They are narrow again once an election lies ten seconds back.
 *
 * <p>The time in which a dead leader is noticed is not one of them. For the consensus module's
 * thread.
 */
public final class ElectionPatience {
  private static final long STEP_NS_MAX = TimeUnit.SECONDS.toNanos(5);
  private static final long BALLOT_NS_MAX = TimeUnit.SECONDS.toNanos(1);
  private static final long CALM_NS = TimeUnit.SECONDS.toNanos(10);

  /** A first ballot after a leader has left, as a part of the heartbeat timeout. */
  private static final int LEFT_BALLOTS = 20;

  /** The steps that look for a leader. All others join one, or prepare to lead. */
  private static final Set<ElectionState> VOTING =
      EnumSet.of(
          ElectionState.INIT,
          ElectionState.CANVASS,
          ElectionState.NOMINATE,
          ElectionState.CANDIDATE_BALLOT,
          ElectionState.FOLLOWER_BALLOT,
          ElectionState.CLOSED);

  private static final Set<ElectionState> BALLOTS =
      EnumSet.of(ElectionState.CANDIDATE_BALLOT, ElectionState.FOLLOWER_BALLOT);

  private final long heartbeatTimeoutNs;
  private final long electionTimeoutNs;
  private final Limits limits;

  private ElectionState state = ElectionState.CLOSED;
  private long closedNs;
  private long stepNs;
  private long ballotNs;

  /** Where the limits take effect. Same thread. */
  public interface Limits {
    /**
     * Sets limits from now on.
     *
     * @param stepNs of each step
     * @param ballotNs of a ballot
     */
    void set(long stepNs, long ballotNs);
  }

  /**
   * @param heartbeatTimeoutNs after this time without a heartbeat a follower starts an election
   * @param electionTimeoutNs how long a candidate first waits for all votes
   */
  public ElectionPatience(long heartbeatTimeoutNs, long electionTimeoutNs, Limits limits) {
    this.heartbeatTimeoutNs = heartbeatTimeoutNs;
    this.electionTimeoutNs = electionTimeoutNs;
    this.limits = limits;
    narrow();
  }

  private void narrow() {
    stepNs = 2 * heartbeatTimeoutNs;
    ballotNs = electionTimeoutNs;
  }

  /**
   * Called in each {@link ConsensusCycle}.
   *
   * @param next the state of the election now
   * @param nowNs like {@link System#nanoTime}
   * @param isLeaderLeaving whether the leader has said that it leaves, so that its vote is missing
   */
  void onCycle(ElectionState next, long nowNs, boolean isLeaderLeaving) {
    if (next == state) {
      return;
    }
    if (next == ElectionState.CLOSED) {
      closedNs = nowNs;
      ballotNs = Math.max(ballotNs, electionTimeoutNs);
    } else if (state == ElectionState.CLOSED) {
      if (nowNs - closedNs >= CALM_NS) {
        narrow();
      }
      if (isLeaderLeaving) {
        ballotNs = Math.min(ballotNs, heartbeatTimeoutNs / LEFT_BALLOTS);
      }
    } else if (next == ElectionState.INIT) {
      stepNs = doubled(stepNs, STEP_NS_MAX);
    } else if (next == ElectionState.CANVASS && BALLOTS.contains(state)) {
      ballotNs = doubled(ballotNs, BALLOT_NS_MAX);
    }
    state = next;
    // A dead leader must be noticed as soon as ever, and a follower that joins one does not vote.
    limits.set(VOTING.contains(next) ? heartbeatTimeoutNs : stepNs, ballotNs);
  }

  /** A limit that was set above the maximum stays. */
  private static long doubled(long ns, long nsMax) {
    return Math.max(ns, Math.min(2 * ns, nsMax));
  }
}
