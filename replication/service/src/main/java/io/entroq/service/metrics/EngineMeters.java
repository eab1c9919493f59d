package io.entroq.service.metrics;

import io.entroq.engine.gateway.EngineStats;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The figures of an engine. */
final class EngineMeters {
  private final Meters<EngineStats> meters;

  EngineMeters(MeterRegistry registry, Supplier<EngineStats> figures) {
    meters = new Meters<>(registry, figures);
  }

  void register() {
    meters.gauge("entroq.tasks", "Tasks that there are.", EngineStats::tasks);
    meters.gauge(
        "entroq.memory.bytes",
        "Memory outside the heap that tasks and all about them take.",
        EngineStats::memoryBytes);
    ClockMeters.register(meters, EngineStats::clock);
    registerLog();
    registerDisk();
    registerSnapshots();
  }

  private void registerLog() {
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
        "entroq.log.forces",
        "Times that the log was forced to the disk, and replies waited for it.",
        f -> f.forces().count());
    meters.counter(
        "entroq.log.force.seconds",
        "How long forces of the log took, all together.",
        f -> f.forces().totalNs() / Meters.NS_PER_SECOND);
    meters.counter(
        "entroq.log.freed.bytes",
        "Bytes of the log that snapshots have let go.",
        f -> f.snapshots().logBytesFreed());
  }

  private void registerDisk() {
    meters.gauge(
        "entroq.disk.usable.bytes",
        "What can still be written to the disk; infinite in memory.",
        f ->
            f.diskUsableBytes() == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : f.diskUsableBytes());
    meters.gauge(
        "entroq.disk.low",
        "1 if inserts are refused for want of room on the disk.",
        f -> f.isDiskLow() ? 1 : 0);
    meters.gauge(
        "entroq.disk.full",
        "1 if everything but reads is refused for want of room on the disk.",
        f -> f.isDiskFull() ? 1 : 0);
    meters.gauge(
        "entroq.state.bytes",
        "What a snapshot of the state would take; 0 in memory.",
        EngineStats::liveBytes);
    refused("disk", EngineStats::writesRefusedForDisk);
    refused("memory", EngineStats::writesRefusedForMemory);
  }

  private void refused(String reason, ToDoubleFunction<EngineStats> figure) {
    meters.counter(
        "entroq.writes.refused", "Commands refused for want of room.", figure, "reason", reason);
  }

  private void registerSnapshots() {
    meters.counter("entroq.snapshots", "Snapshots that were finished.", f -> f.snapshots().taken());
    meters.counter(
        "entroq.snapshots.failed",
        "Snapshots that were begun and could not be finished.",
        f -> f.snapshots().failed());
    meters.gauge(
        "entroq.snapshot.sequence",
        "Sequence of the newest good snapshot; 0 if there is none.",
        f -> f.snapshots().sequence());
    meters.gauge(
        "entroq.snapshot.bytes", "Size of the newest good snapshot.", f -> f.snapshots().bytes());
    meters.gauge(
        "entroq.snapshot.pause.seconds",
        "For how long commands stood still for the last snapshot.",
        f -> f.snapshots().pauseNs() / Meters.NS_PER_SECOND);
    meters.gauge(
        "entroq.snapshot.pause.max.seconds",
        "For how long commands stood still for a snapshot, the longest.",
        f -> f.snapshots().pauseMaxNs() / Meters.NS_PER_SECOND);
    meters.gauge(
        "entroq.snapshot.write.seconds",
        "How long the last snapshot was written, beside the commands.",
        f -> f.snapshots().writeMs() / Meters.MS_PER_SECOND);
  }
}
