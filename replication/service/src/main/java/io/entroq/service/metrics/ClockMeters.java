package io.entroq.service.metrics;

import io.entroq.engine.time.ClockStats;
import java.util.function.Function;

/** The clocks of an engine, or of a member, as meters. */
final class ClockMeters {
  private ClockMeters() {}

  static <F> void register(Meters<F> meters, Function<F, ClockStats> clock) {
    meters.gauge(
        "entroq.clock.wall.ahead.seconds",
        "Wall clock minus log time; more than a second either way is too much.",
        f -> clock.apply(f).wallAheadMs() / Meters.MS_PER_SECOND);
    meters.counter(
        "entroq.clock.deviations",
        "Times that this difference has grown above a second.",
        f -> clock.apply(f).deviations());
  }
}
