package io.entroq.service.metrics;

import io.entroq.cluster.mirror.MirrorState;
import io.entroq.cluster.mirror.MirrorStats;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.function.Supplier;

/** The mirror of a member's log, as meters. */
final class MirrorMeters {
  private final Meters<MirrorStats> meters;

  MirrorMeters(MeterRegistry registry, Supplier<MirrorStats> figures) {
    meters = new Meters<>(registry, figures);
  }

  void register() {
    for (MirrorState state : MirrorState.values()) {
      meters.gauge(
          "entroq.member.mirror.state",
          "1 at what the mirror of the log is at.",
          f -> f.state() == state ? 1 : 0,
          "state",
          state.name().toLowerCase(Locale.ROOT));
    }
    meters.gauge(
        "entroq.member.mirror.lag.bytes",
        "Records that are applied and not in the mirror yet.",
        MirrorStats::lagBytes);
    meters.gauge(
        "entroq.member.mirror.lag.records", "How many records those are.", MirrorStats::lagRecords);
    meters.counter(
        "entroq.member.mirror.dropouts",
        "Times that the mirror could not follow.",
        MirrorStats::dropouts);
    meters.counter(
        "entroq.member.mirror.seeds", "Times that the mirror was begun anew.", MirrorStats::seeds);
  }
}
