package io.entroq.cluster.mirror;

/**
 * Statistics of a mirror. The values are read one after the other and may be inconsistent.
 *
 * @param state the current state
 * @param writtenSequence the last record that this process has written; 0 if none
 * @param lagBytes of records that are applied but not written; at most the queue's size
 * @param lagRecords number of records that are applied but not written
 * @param dropouts since the member's start
 * @param seeds number of restarts with a snapshot
 */
public record MirrorStats(
    MirrorState state,
    long writtenSequence,
    long lagBytes,
    long lagRecords,
    long dropouts,
    long seeds) {
  /** 0 while its files may be incomplete, else a number that changes when it has restarted. */
  public long generation() {
    return state == MirrorState.FOLLOWING && writtenSequence > 0 ? 1 + seeds : 0;
  }

  /** Without a mirror. */
  public static final MirrorStats NONE = new MirrorStats(MirrorState.OFF, 0, 0, 0, 0, 0);
}
