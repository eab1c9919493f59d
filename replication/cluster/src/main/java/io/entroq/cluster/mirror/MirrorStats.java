package io.entroq.cluster.mirror;

/**
 * A mirror in numbers. They are read one after the other, so they need not fit each other.
 *
 * @param state what it is at
 * @param writtenSequence the last record that this process has written to it; 0: none
 * @param lagBytes of records that are applied and not written; never more than its queue has room
 *     for
 * @param lagRecords how many records those are; while it does not follow, all since it was written
 *     to last
 * @param dropouts how often it could not follow since the member has begun
 * @param seeds how often it was begun anew
 */
public record MirrorStats(
    MirrorState state,
    long writtenSequence,
    long lagBytes,
    long lagRecords,
    long dropouts,
    long seeds) {
  /** Of no mirror. */
  public static final MirrorStats NONE = new MirrorStats(MirrorState.OFF, 0, 0, 0, 0, 0);
}
