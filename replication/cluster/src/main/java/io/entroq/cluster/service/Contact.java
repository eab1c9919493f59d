package io.entroq.cluster.service;

import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusterCounters;
import org.agrona.concurrent.status.CountersReader;

/**
 * Whether a member follows a leader, or is one: not while it votes, as it does when it has not
 * heard of one for the time-out of the heartbeat. Applying thread, whose view of the counters it
 * has.
 */
final class Contact {
  private final CountersReader counters;
  private final int electionState;

  private Contact(CountersReader counters, int electionState) {
    this.counters = counters;
    this.electionState = electionState;
  }

  static Contact of(Cluster cluster) {
    CountersReader counters = cluster.aeron().countersReader();
    int electionState =
        ClusterCounters.find(
            counters,
            ConsensusModule.Configuration.ELECTION_STATE_TYPE_ID,
            cluster.context().clusterId());
    return new Contact(counters, electionState);
  }

  /** Whether it does now. */
  boolean isThere() {
    return counters.getCounterValue(electionState) == ElectionState.CLOSED.code();
  }
}
