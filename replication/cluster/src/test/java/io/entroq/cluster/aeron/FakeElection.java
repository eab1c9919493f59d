package io.entroq.cluster.aeron;

import io.aeron.cluster.ElectionState;

/** The consensus module's counters, set by a test. */
final class FakeElection implements ElectionMonitor.Election {
  ElectionState state = ElectionState.INIT;
  boolean isLeader;
  long termId;

  @Override
  public long state() {
    return state.code();
  }

  @Override
  public boolean isLeader() {
    return isLeader;
  }

  @Override
  public long termId() {
    return termId;
  }
}
