package io.entroq.service.metrics;

import io.entroq.engine.figures.EngineFigures;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What a member's engine tells, which has no log of its own, under the names of one that has. */
final class MemberEngineMeters {
  private final Meters<Optional<EngineFigures>> meters;

  MemberEngineMeters(MeterRegistry registry, Supplier<Optional<EngineFigures>> figures) {
    meters = new Meters<>(registry, figures);
  }

  void register() {
    gauge("entroq.tasks", "Tasks that there are.", EngineFigures::tasks);
    gauge(
        "entroq.memory.bytes",
        "Memory outside the heap that tasks and all about them take.",
        EngineFigures::memoryBytes);
    gauge(
        "entroq.disk.low",
        "1 if inserts are refused for want of room on the disk.",
        f -> f.isDiskLow() ? 1 : 0);
    gauge(
        "entroq.disk.full",
        "1 if everything but reads is refused for want of room on the disk.",
        f -> f.isDiskFull() ? 1 : 0);
    refused("disk", EngineFigures::writesRefusedForDisk);
    refused("memory", EngineFigures::writesRefusedForMemory);
  }

  private void refused(String reason, ToDoubleFunction<EngineFigures> figure) {
    meters.counter(
        "entroq.writes.refused",
        "Commands refused for want of room.",
        Meters.known(figure),
        "reason",
        reason);
  }

  private void gauge(String name, String description, ToDoubleFunction<EngineFigures> figure) {
    meters.gauge(name, description, Meters.known(figure));
  }
}
