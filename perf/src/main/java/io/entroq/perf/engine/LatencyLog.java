package io.entroq.perf.engine;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/** How long commands took and when they ended, kept until it is known what happened meanwhile. */
final class LatencyLog {
  private long[] endNs = new long[1 << 18];
  private long[] latencyNs = new long[1 << 18];
  private int size;

  void add(long end, long latency) {
    if (size == endNs.length) {
      endNs = Arrays.copyOf(endNs, 2 * size);
      latencyNs = Arrays.copyOf(latencyNs, 2 * size);
    }
    endNs[size] = end;
    latencyNs[size] = latency;
    size++;
  }

  /** Puts commands that ended before a moment into one, the others into the other; forgets all. */
  void split(long momentNs, Histogram before, Histogram since) {
    for (int i = 0; i < size; i++) {
      Histogram of = endNs[i] - momentNs < 0 ? before : since;
      of.recordValue(Math.min(latencyNs[i], of.getHighestTrackableValue()));
    }
    size = 0;
  }
}
