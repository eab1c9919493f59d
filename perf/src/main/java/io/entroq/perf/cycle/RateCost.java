package io.entroq.perf.cycle;

import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.service.insight.Event;
import io.entroq.service.insight.Insight;
import io.entroq.service.insight.InsightConfig;
import io.entroq.service.insight.ServerFigures;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Measures what it costs to count what happens to queues, as a server does with {@code --rates}:
 * cycles of an engine in memory whose effects are counted, beside cycles of one whose feed is off;
 * and the processor time of the thread that counts, per event. Rates are of 200 cycles.
 *
 * <p>Arguments: rounds (15), cycles per slice (100,000).
 */
public final class RateCost {
  private static final int VALUE_BYTES = 128;
  private static final int PART = 200;
  private static final String THREAD = "entroq-insight";

  private RateCost() {}

  public static void main(String[] args) {
    SideBySide sides = new SideBySide(args.length > 0 ? Integer.parseInt(args[0]) : 15);
    int cycles = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
    try (DrivenEngine counted = inMemory();
        DrivenEngine plain = inMemory();
        // Nobody looks at the queues, for which it would need a gateway.
        Insight insight =
            Insight.start(
                null,
                counted.feed(),
                () -> ServerFigures.NONE,
                InsightConfig.ofHeap(Runtime.getRuntime().maxMemory()))) {
      DrivenCycle withRates = new DrivenCycle(counted, VALUE_BYTES);
      DrivenCycle without = new DrivenCycle(plain, VALUE_BYTES);
      long beforeNs = processorNs();
      sides.measure(
          new SideBySide.Side("counted", cycles / PART, () -> run(withRates, counted)),
          new SideBySide.Side("off", cycles / PART, () -> run(without, plain)));
      long spentNs = processorNs() - beforeNs;
      long[] all = insight.totals(0, Set.of()).get("");
      System.out.printf(
          Locale.ROOT,
          "%,d events counted, done %,d; %.0f ns of the counting thread each, %.1f s in all%n",
          Arrays.stream(all).sum(),
          all[Event.DONE.ordinal()],
          (double) spentNs / Arrays.stream(all).sum(),
          (double) spentNs / TimeUnit.SECONDS.toNanos(1));
    }
  }

  /** Some cycles, after which readers of the feed are told, as a thread of an engine does. */
  private static void run(DrivenCycle cycle, DrivenEngine engine) {
    for (int i = 0; i < PART; i++) {
      cycle.cycle();
    }
    engine.poll();
  }

  private static DrivenEngine inMemory() {
    return DrivenEngine.open(EmbeddedConfig.inMemory().build(), (sequence, result) -> {});
  }

  private static long processorNs() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(THREAD))
        .mapToLong(thread -> threads.getThreadCpuTime(thread.getId()))
        .sum();
  }
}
