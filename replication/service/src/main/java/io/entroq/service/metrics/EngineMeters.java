package io.entroq.service.metrics;

import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.time.ClockStats;
import java.util.function.Function;

/** Registers meters of an engine. */
final class EngineMeters {
  private EngineMeters() {}

  /** For an engine with its own log. */
  static void register(Meters<EngineStats> meters) {
    registerState(meters);
    registerClock(meters, EngineStats::clock);
    registerLog(meters);
    registerSnapshots(meters);
  }

  /** For any engine, including a cluster member's, whose log is the cluster's. */
  static void registerState(Meters<EngineStats> meters) {
    meters.gauge("entroq.tasks", "Tasks in the queue.", EngineStats::tasks);
    meters.gauge(
        "entroq.memory.bytes",
        "Memory outside the heap for tasks and everything about them.",
        EngineStats::memoryBytes);
    meters.gauge(
        "entroq.disk.low",
        "1 if inserts are refused because the disk is nearly full.",
        f -> f.isDiskLow() ? 1 : 0);
    meters.gauge(
        "entroq.disk.full",
        "1 if everything but reads is refused because the disk is full.",
        f -> f.isDiskFull() ? 1 : 0);
    String refused = "Commands refused for lack of space.";
    meters.counter(
        "entroq.writes.refused", refused, EngineStats::writesRefusedForDisk, "reason", "disk");
    meters.counter(
        "entroq.writes.refused", refused, EngineStats::writesRefusedForMemory, "reason", "memory");
  }

  static <F> void registerClock(Meters<F> meters, Function<F, ClockStats> clock) {
    meters.gauge(
        "entroq.clock.wall.ahead.seconds",
        "Wall clock minus log time; more than a second either way is too much.",
        f -> clock.apply(f).wallAheadMs() / Meters.MS_PER_SECOND);
    meters.counter(
        "entroq.clock.deviations",
        "Times that this difference has grown above a second.",
        f -> clock.apply(f).deviations());
  }

  private static void registerLog(Meters<EngineStats> meters) {
    meters.counter(
        "entroq.log.appended.bytes",
        "Bytes of records appended to the log.",
        EngineStats::appendedBytes);
    meters.gauge(
        "entroq.log.appended.sequence",
        "Sequence of the newest record.",
        EngineStats::appendedSequence);
    meters.gauge(
        "entroq.log.forced.sequence",
        "Sequence of the newest record that is known to be on the disk.",
        EngineStats::forcedSequence);
    meters.counter(
        "entroq.log.forces", "Times that the log was forced to the disk.", f -> f.forces().count());
    meters.counter(
        "entroq.log.force.seconds",
        "How long all forces of the log took together.",
        f -> f.forces().totalNs() / Meters.NS_PER_SECOND);
    meters.counter(
        "entroq.log.freed.bytes",
        "Bytes of the log deleted after snapshots.",
        f -> f.snapshots().logBytesFreed());
    meters.gauge(
        "entroq.disk.usable.bytes",
        "Free space on the disk; infinite for a queue in memory.",
        f ->
            f.diskUsableBytes() == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : f.diskUsableBytes());
    meters.gauge(
        "entroq.state.bytes",
        "Size that a snapshot of the state would have; 0 for a queue in memory.",
        EngineStats::liveBytes);
  }

  private static void registerSnapshots(Meters<EngineStats> meters) {
    meters.counter("entroq.snapshots", "Finished snapshots.", f -> f.snapshots().taken());
    meters.counter("entroq.snapshots.failed", "Failed snapshots.", f -> f.snapshots().failed());
    meters.gauge(
        "entroq.snapshot.sequence",
        "Sequence of the newest good snapshot; 0 if there is none.",
        f -> f.snapshots().sequence());
    meters.gauge(
        "entroq.snapshot.bytes", "Size of the newest good snapshot.", f -> f.snapshots().bytes());
    meters.gauge(
        "entroq.snapshot.pause.seconds",
        "How long the last snapshot held up commands.",
        f -> f.snapshots().pauseNs() / Meters.NS_PER_SECOND);
    meters.gauge(
        "entroq.snapshot.pause.max.seconds",
        "The longest time that a snapshot held up commands.",
        f -> f.snapshots().pauseMaxNs() / Meters.NS_PER_SECOND);
    meters.gauge(
        "entroq.snapshot.write.seconds",
        "How long the last snapshot took to write, in the background.",
        f -> f.snapshots().writeMs() / Meters.MS_PER_SECOND);
  }
}
