package io.entroq.service.metrics;

import io.entroq.cluster.retention.RetentionStats;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** The snapshots and the log of a cluster member. */
final class RetentionMeters {
  private final Meters<RetentionStats> meters;

  RetentionMeters(MeterRegistry registry, Supplier<RetentionStats> figures) {
    meters = new Meters<>(registry, figures);
  }

  void register() {
    meters.counter(
        "entroq.member.snapshots.failed",
        "Snapshots that the member could not take.",
        f -> f.snapshots().failed());
    meters.gauge(
        "entroq.member.snapshot.bytes", "Size of the newest snapshot.", f -> f.snapshots().bytes());
    meters.gauge(
        "entroq.member.snapshot.pause.seconds",
        "For how long the last snapshot held commands up.",
        f -> f.snapshots().pauseNs() / Meters.NS_PER_SECOND);
    meters.gauge(
        "entroq.member.snapshot.pause.longest.seconds",
        "For how long a snapshot held commands up at most.",
        f -> f.snapshots().pauseMaxNs() / Meters.NS_PER_SECOND);
    meters.gauge(
        "entroq.member.snapshot.age.seconds",
        "How old the newest snapshot is; 0: there is none.",
        f -> f.snapshotAgeMs() / Meters.MS_PER_SECOND);
    meters.gauge(
        "entroq.member.log.behind.snapshot.bytes",
        "Log since the newest snapshot: what a restart has to apply.",
        RetentionStats::logBytesSince);
    meters.gauge(
        "entroq.member.log.bytes", "Log on the member's disk.", RetentionStats::logBytesHeld);
    meters.counter(
        "entroq.member.log.freed.bytes",
        "Log that the member has deleted because nobody needs it.",
        RetentionStats::logBytesFreed);
    meters.gauge(
        "entroq.member.others.behind",
        "Members for whom no log is kept any more: they have to be replaced.",
        f -> f.membersBehind().size());
    meters.counter(
        "entroq.member.disagreements",
        "Snapshots in which members were found to have different states.",
        RetentionStats::divergences);
  }
}
