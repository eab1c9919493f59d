package io.entroq.cluster.service;

import io.aeron.AeronCounters;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusterCounters;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.agrona.concurrent.status.CountersReader;

/**
 * Whether a member follows a leader, or is one, and can send it what callers ask. Applying thread,
 * whose view of the counters it has.
 *
 * <p>A member whose session the leader refuses, or does not hear, still gets the log. It would know
 * everything and do nothing, and its callers would not learn that they are better off elsewhere.
 */
public final class LeaderContact {
  private final LongSupplier sessionTermId;
  private final long patienceNs;
  private final Function<Cluster, CountersReader> countersOf;
  private final LongSupplier nanoTime;
  private CountersReader counters;
  private int electionState;
  private int termId;
  private boolean isUnheard;
  private long unheardNs;

  /**
   * @param sessionTermId the term of the leader that the member's session is with; negative: it is
   *     with none. Any thread
   * @param timeout how long the session may be without the leader that the member follows
   */
  public LeaderContact(LongSupplier sessionTermId, Duration timeout) {
    this(sessionTermId, timeout, cluster -> cluster.aeron().countersReader(), System::nanoTime);
  }

  /** With other counters and another clock than those of a running member. */
  LeaderContact(
      LongSupplier sessionTermId,
      Duration timeout,
      Function<Cluster, CountersReader> countersOf,
      LongSupplier nanoTime) {
    this.sessionTermId = sessionTermId;
    patienceNs = timeout.toNanos();
    this.countersOf = countersOf;
    this.nanoTime = nanoTime;
  }

  /** Looks at a member from now on. */
  void begin(Cluster cluster) {
    counters = countersOf.apply(cluster);
    electionState = find(cluster, ConsensusModule.Configuration.ELECTION_STATE_TYPE_ID);
    termId = find(cluster, AeronCounters.CLUSTER_LEADERSHIP_TERM_ID_TYPE_ID);
  }

  private int find(Cluster cluster, int typeId) {
    return ClusterCounters.find(counters, typeId, cluster.context().clusterId());
  }

  /**
   * Whether it follows a leader now: not while it votes, as it does when it has not heard of one
   * for the time-out of the heartbeat.
   */
  boolean hasLeader() {
    return counters.getCounterValue(electionState) == ElectionState.CLOSED.code();
  }

  /** Whether it follows a leader who hears it, or may do so any moment. */
  boolean isServing() {
    if (!hasLeader()) {
      isUnheard = false;
      return false;
    }
    if (sessionTermId.getAsLong() == counters.getCounterValue(termId)) {
      isUnheard = false;
      return true;
    }
    long nowNs = nanoTime.getAsLong();
    if (!isUnheard) {
      isUnheard = true;
      unheardNs = nowNs;
    }
    return nowNs - unheardNs < patienceNs;
  }
}
