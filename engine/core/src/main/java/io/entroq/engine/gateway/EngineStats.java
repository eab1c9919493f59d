package io.entroq.engine.gateway;

import io.entroq.engine.log.ForceStats;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.engine.time.ClockStats;

/**
 * Statistics of an engine. Each number is exact as of a few commands ago, but they are not all from
 * the same moment.
 *
 * @param diskUsableBytes bytes that can still be written to the disk now; {@link Long#MAX_VALUE}
 *     for an engine in memory
 * @param isDiskLow whether inserts are refused for lack of disk space
 * @param isDiskFull whether everything but reads is
 * @param writesRefusedForDisk commands refused for lack of disk space
 * @param writesRefusedForMemory commands refused for lack of memory
 * @param appendedBytes bytes of records appended since the engine was opened
 * @param appendedSequence sequence of the newest record
 * @param forcedSequence sequence of the newest record known to be on disk with all before it
 * @param tasks number of tasks
 * @param memoryBytes bytes of memory outside the heap for tasks, docs, clients and indexes;
 *     measured every 256 commands
 * @param liveBytes size of a snapshot of the state, which is the least that the disk must hold;
 *     measured every mebibyte of log. 0 for an engine in memory
 * @param snapshots statistics of snapshots
 * @param forces how often the log was forced, and how long that took
 * @param clock how far log time deviates from the wall clock
 */
public record EngineStats(
    long diskUsableBytes,
    boolean isDiskLow,
    boolean isDiskFull,
    long writesRefusedForDisk,
    long writesRefusedForMemory,
    long appendedBytes,
    long appendedSequence,
    long forcedSequence,
    long tasks,
    long memoryBytes,
    long liveBytes,
    SnapshotStats snapshots,
    ForceStats forces,
    ClockStats clock) {}
