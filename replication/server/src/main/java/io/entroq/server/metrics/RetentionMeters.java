package io.entroq.server.metrics;

import io.entroq.cluster.retention.RetentionFigures;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Snapshots and log of a member of a cluster, as meters. */
final class RetentionMeters {
  private static final double NS_PER_SECOND = 1e9;
  private static final double MS_PER_SECOND = 1e3;

  private final MeterRegistry registry;
  private final Supplier<RetentionFigures> figures;

  RetentionMeters(MeterRegistry registry, Supplier<RetentionFigures> figures) {
    this.registry = registry;
    this.figures = figures;
  }

  void register() {
    counter(
        "entroq.member.snapshots.failed",
        "Snapshots that the member could not take.",
        f -> f.snapshots().failed());
    gauge(
        "entroq.member.snapshot.bytes", "Size of the newest snapshot.", f -> f.snapshots().bytes());
    gauge(
        "entroq.member.snapshot.pause.seconds",
        "For how long the last snapshot held commands up.",
        f -> f.snapshots().pauseNs() / NS_PER_SECOND);
    gauge(
        "entroq.member.snapshot.pause.longest.seconds",
        "For how long a snapshot held commands up at most.",
        f -> f.snapshots().pauseMaxNs() / NS_PER_SECOND);
    gauge(
        "entroq.member.snapshot.age.seconds",
        "How old the newest snapshot is; 0: there is none.",
        f -> f.snapshotAgeMs() / MS_PER_SECOND);
    gauge(
        "entroq.member.log.behind.snapshot.bytes",
        "Log since the newest snapshot: what a restart has to apply.",
        RetentionFigures::logBytesSince);
    gauge("entroq.member.log.bytes", "Log on the member's disk.", RetentionFigures::logBytesHeld);
    counter(
        "entroq.member.log.freed.bytes",
        "Log that the member has deleted because nobody needs it.",
        RetentionFigures::logBytesFreed);
    gauge(
        "entroq.member.others.behind",
        "Members for whom no log is kept any more: they have to be replaced.",
        f -> f.membersBehind().size());
    counter(
        "entroq.member.disagreements",
        "Snapshots in which members were found to have different states.",
        RetentionFigures::disagreements);
  }

  private void counter(String name, String description, ToDoubleFunction<RetentionFigures> figure) {
    FunctionCounter.builder(name, figures, s -> figure.applyAsDouble(s.get()))
        .description(description)
        .register(registry);
  }

  private void gauge(String name, String description, ToDoubleFunction<RetentionFigures> figure) {
    Gauge.builder(name, figures, s -> figure.applyAsDouble(s.get()))
        .description(description)
        .register(registry);
  }
}
