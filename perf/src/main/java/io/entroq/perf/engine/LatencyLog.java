package io.entroq.perf.engine;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/** The ends and latencies of commands, kept until it is known when a snapshot began. */
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

  /** Records commands by whether they ended before a time, and clears the log. */
  void split(long timeNs, Histogram before, Histogram since) {
    for (int i = 0; i < size; i++) {
      Histogram of = endNs[i] - timeNs < 0 ? before : since;
      of.recordValue(Math.min(latencyNs[i], of.getHighestTrackableValue()));
    }
    size = 0;
  }
}
