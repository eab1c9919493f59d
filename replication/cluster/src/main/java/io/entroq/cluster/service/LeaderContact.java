package io.entroq.cluster.service;

import io.aeron.AeronCounters;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusterCounters;
import io.entroq.engine.replica.Contact;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.agrona.concurrent.status.CountersReader;

/**
 * Whether a member follows a leader, or leads, and can send it commands. Applying thread.
 *
 * <p>A member whose session the leader refuses or does not hear still receives the log. It would
 * answer reads but execute nothing, and its callers would not move to another member.
 */
public final class LeaderContact {
  /** A few milliseconds of a busy log. */
  private static final long END_BYTES = 64 << 10;

  /** After a longer pause of this process, a leader may have been replaced unnoticed. */
  private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

  /** By how much clocks of members may differ. */
  private static final long CLOCKS_MS = 1_000;

  private final LongSupplier sessionTermId;
  private final long timeoutNs;
  private final Supplier<CountersReader> mapCounters;
  private final LongSupplier nanoTime;
  private CountersReader counters;
  private int electionState;
  private int termId;
  private int commitPosition;
  private boolean isBehind = true;
  private long caughtUpNs;
  private long lookedNs;
  private boolean isSessionLost;
  private long lostNs;

  /**
   * @param sessionTermId the term of the session's leader; negative if the session has none. Called
   *     on any thread
   * @param timeout how long the session may lack the leader that the member follows
   * @param mapCounters maps the counters of the member's driver, when the service starts. Not those
   *     of the service's client, which may end, and unmap them, before this thread
   */
  public LeaderContact(
      LongSupplier sessionTermId, Duration timeout, Supplier<CountersReader> mapCounters) {
    this(sessionTermId, timeout, mapCounters, System::nanoTime);
  }

  /** For tests. */
  LeaderContact(
      LongSupplier sessionTermId,
      Duration timeout,
      Supplier<CountersReader> mapCounters,
      LongSupplier nanoTime) {
    this.sessionTermId = sessionTermId;
    timeoutNs = timeout.toNanos();
    this.mapCounters = mapCounters;
    this.nanoTime = nanoTime;
  }

  void begin(Cluster cluster) {
    counters = mapCounters.get();
    electionState = find(cluster, ConsensusModule.Configuration.ELECTION_STATE_TYPE_ID);
    termId = find(cluster, AeronCounters.CLUSTER_LEADERSHIP_TERM_ID_TYPE_ID);
    commitPosition = find(cluster, AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID);
  }

  private int find(Cluster cluster, int typeId) {
    return ClusterCounters.find(counters, typeId, cluster.context().clusterId());
  }

  /** Whether the member follows a leader, or leads; false during an election. */
  boolean hasLeader() {
    return counters.getCounterValue(electionState) == ElectionState.CLOSED.code();
  }

  /** Whether the member follows the leader of a term, or leads in it. */
  boolean isIn(long term) {
    return hasLeader() && counters.getCounterValue(termId) == term;
  }

  /** Whether a position is close to the committed end of the log of a leader. */
  boolean isAtEnd(long position) {
    return hasLeader() && counters.getCounterValue(commitPosition) - position < END_BYTES;
  }

  /**
   * Whether this member has had a leader, and applied all of its log that was known to be
   * committed, at all looks for the timeout, after which a leader that commits nothing is replaced.
   * Then it has applied all that was ordered more than {@link #agoMs} ago.
   *
   * @param position up to which the log is applied
   */
  boolean isCaughtUp(long position) {
    long nowNs = nanoTime.getAsLong();
    boolean isPaused = nowNs - lookedNs > PAUSE_NS;
    lookedNs = nowNs;
    boolean isAtEnd = hasLeader() && counters.getCounterValue(commitPosition) <= position;
    if (isBehind || isPaused || !isAtEnd) {
      caughtUpNs = nowNs;
    }
    isBehind = !isAtEnd;
    return isAtEnd && nowNs - caughtUpNs >= timeoutNs;
  }

  /** See {@link #isCaughtUp}. */
  long agoMs() {
    return TimeUnit.NANOSECONDS.toMillis(timeoutNs) + CLOCKS_MS;
  }

  /** A session that was lost less than the timeout ago still counts as contact with the leader. */
  Contact contact() {
    if (!hasLeader()) {
      isSessionLost = false;
      return Contact.ELECTION;
    }
    if (sessionTermId.getAsLong() == counters.getCounterValue(termId)) {
      isSessionLost = false;
      return Contact.LEADER;
    }
    long nowNs = nanoTime.getAsLong();
    if (!isSessionLost) {
      isSessionLost = true;
      lostNs = nowNs;
    }
    return nowNs - lostNs < timeoutNs ? Contact.LEADER : Contact.CUT_OFF;
  }
}
