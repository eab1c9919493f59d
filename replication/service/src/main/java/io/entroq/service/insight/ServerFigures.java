package io.entroq.service.insight;

/**
 * What a server says of itself, as far as problems follow from it.
 *
 * @param hasLeader whether it has a leader or is one; true outside of a cluster
 * @param lagBytes how much of what a majority has it has not applied; 0 outside of a cluster
 * @param disagreements snapshots at which members had different states, since it started
 * @param isDiskLow whether inserts are refused because the disk is nearly full
 * @param isDiskFull whether all writes are
 * @param refusedForMemory commands refused for lack of memory, since it started
 * @param snapshotsFailed snapshots that could not be taken, since it started
 * @param forces how often the log was forced to the disk, since it started
 * @param forceNs how long that took in all, in nanoseconds
 */
public record ServerFigures(
    boolean hasLeader,
    long lagBytes,
    long disagreements,
    boolean isDiskLow,
    boolean isDiskFull,
    long refusedForMemory,
    long snapshotsFailed,
    long forces,
    long forceNs) {
  /** Of a server that says nothing, and has no problem. */
  public static final ServerFigures NONE = new ServerFigures(true, 0, 0, false, false, 0, 0, 0, 0);
}
