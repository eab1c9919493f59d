package io.entroq.server.bench.report;

import io.entroq.server.bench.Sample;

/** How a run stands, in a line. */
final class SampleText {
  private SampleText() {}

  static String of(Sample sample) {
    return "%s%,9.0f cycles/s, p50 %,.1f p99 %,.1f us, %,d cycles, %,d pending%s"
        .formatted(
            sample.isMeasured() ? "" : "warm-up ",
            sample.cyclesPerSecond(),
            sample.cycle().p50(),
            sample.cycle().p99(),
            sample.totals().cycles(),
            sample.pending(),
            sample.overdue() > 0 ? ", %,d overdue".formatted(sample.overdue()) : "");
  }
}
