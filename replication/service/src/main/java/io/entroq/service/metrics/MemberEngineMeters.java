package io.entroq.service.metrics;

import io.entroq.engine.gateway.EngineStats;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The figures of a member's engine, which has no log of its own, under the same names. */
final class MemberEngineMeters {
  private final Meters<Optional<EngineStats>> meters;

  MemberEngineMeters(MeterRegistry registry, Supplier<Optional<EngineStats>> figures) {
    meters = new Meters<>(registry, figures);
  }

  void register() {
    gauge("entroq.tasks", "Tasks that there are.", EngineStats::tasks);
    gauge(
        "entroq.memory.bytes",
        "Memory outside the heap that tasks and all about them take.",
        EngineStats::memoryBytes);
    gauge(
        "entroq.disk.low",
        "1 if inserts are refused for want of room on the disk.",
        f -> f.isDiskLow() ? 1 : 0);
    gauge(
        "entroq.disk.full",
        "1 if everything but reads is refused for want of room on the disk.",
        f -> f.isDiskFull() ? 1 : 0);
    refused("disk", EngineStats::writesRefusedForDisk);
    refused("memory", EngineStats::writesRefusedForMemory);
  }

  private void refused(String reason, ToDoubleFunction<EngineStats> figure) {
    meters.counter(
        "entroq.writes.refused",
        "Commands refused for want of room.",
        Meters.known(figure),
        "reason",
        reason);
  }

  private void gauge(String name, String description, ToDoubleFunction<EngineStats> figure) {
    meters.gauge(name, description, Meters.known(figure));
  }
}
