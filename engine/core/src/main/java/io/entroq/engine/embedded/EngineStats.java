package io.entroq.engine.embedded;

import io.entroq.engine.log.ForceStats;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.engine.time.ClockStats;

/**
 * An engine in numbers. Each is right by itself and as new as the last few commands; together they
 * are no picture of one moment.
 *
 * @param diskUsableBytes what can still be written to the disk, as it is now; {@link
 *     Long#MAX_VALUE} for an engine in memory
 * @param isDiskLow whether inserts are refused because of that
 * @param isDiskFull whether everything but reads is
 * @param writesRefusedForDisk how many commands were refused for want of room on the disk
 * @param writesRefusedForMemory how many were refused for want of memory
 * @param appendedBytes how many bytes of records were appended since the engine was opened
 * @param appendedSequence the sequence of the newest record
 * @param forcedSequence the newest record that is known to be on the disk, with all before it
 * @param tasks how many there are
 * @param memoryBytes bytes of memory outside the heap that tasks and all about them take; looked at
 *     every 256 commands
 * @param liveBytes what a snapshot of the state would take, and so what the disk has to hold at
 *     least; looked at every mebibyte of log. 0 for an engine in memory
 * @param snapshots how those went that were taken
 * @param forces how often the log was forced, and how long that took
 * @param clock how far the wall clock is from log time
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
