package io.entroq.load;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Latencies in nanoseconds, with three digits. Callers record on any thread without locks; one
 * thread reads.
 */
final class LatencyRecorder {
  private static final long NS_MAX = TimeUnit.HOURS.toNanos(1);
  private static final int DIGITS = 3;

  private final Shard[] shards;
  private final Map<Operation, Histogram> totals = histograms();

  /**
   * @param shards over which callers are spread to avoid contention
   */
  LatencyRecorder(int shards) {
    this.shards = new Shard[shards];
    for (int i = 0; i < shards; i++) {
      this.shards[i] = new Shard();
    }
  }

  Shard shard(int caller) {
    return shards[caller % shards.length];
  }

  /** Returns what was recorded since the last call. */
  Map<Operation, Percentiles> interval() {
    Map<Operation, Histogram> interval = histograms();
    for (Shard shard : shards) {
      shard.moveTo(interval);
    }
    interval.forEach((operation, histogram) -> totals.get(operation).add(histogram));
    return percentiles(interval);
  }

  Map<Operation, Percentiles> total() {
    interval();
    return percentiles(totals);
  }

  private static Map<Operation, Histogram> histograms() {
    Map<Operation, Histogram> histograms = new EnumMap<>(Operation.class);
    for (Operation operation : Operation.values()) {
      histograms.put(operation, new Histogram(NS_MAX, DIGITS));
    }
    return histograms;
  }

  private static Map<Operation, Percentiles> percentiles(Map<Operation, Histogram> histograms) {
    Map<Operation, Percentiles> all = new EnumMap<>(Operation.class);
    histograms.forEach((operation, histogram) -> all.put(operation, Percentiles.of(histogram)));
    return all;
  }

  static final class Shard {
    private final Map<Operation, Recorder> recorders = new EnumMap<>(Operation.class);
    private final Map<Operation, Histogram> spares = new EnumMap<>(Operation.class);

    private Shard() {
      for (Operation operation : Operation.values()) {
        recorders.put(operation, new Recorder(NS_MAX, DIGITS));
      }
    }

    /** Records a latency; more than an hour counts as an hour. */
    void record(Operation operation, long ns) {
      recorders.get(operation).recordValue(Math.min(ns, NS_MAX));
    }

    private void moveTo(Map<Operation, Histogram> sums) {
      recorders.forEach(
          (operation, recorder) -> {
            Histogram recorded = recorder.getIntervalHistogram(spares.get(operation));
            spares.put(operation, recorded);
            sums.get(operation).add(recorded);
          });
    }
  }
}
