package io.entroq.server.bench;

import io.entroq.load.ProgressSample;

/** The progress of a run, in one line. */
final class ProgressText {
  private ProgressText() {}

  static String of(ProgressSample sample) {
    return "%,9.0f cycles/s, %s, %,d cycles, %,d pending%s"
        .formatted(
            sample.cyclesPerSecond(),
            sample.isMeasured()
                ? "p50 %,.1f p99 %,.1f us".formatted(sample.cycle().p50(), sample.cycle().p99())
                : "warm-up",
            sample.totals().cycles(),
            sample.pending(),
            sample.overdue() > 0 ? ", %,d overdue".formatted(sample.overdue()) : "");
  }
}
