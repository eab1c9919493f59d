package io.entroq.simulator.check;

/** How everything stood after each record that may still be lost. */
final class Past {
  private long[] points = new long[64];
  private long[] times = new long[64];
  private long[] histories = new long[64];
  private long[] contents = new long[64];
  private long first;
  private long last;

  /** Begins in front of the first record. */
  Past(long point) {
    points[0] = point;
  }

  /** The oldest record that is remembered. */
  long first() {
    return first;
  }

  /** The newest. */
  long last() {
    return last;
  }

  /** Notes how everything stands after the next record. */
  void add(long point, long timeMs, long historyDigest, long contentDigest) {
    last++;
    if (last - first == points.length) {
      points = grown(points);
      times = grown(times);
      histories = grown(histories);
      contents = grown(contents);
    }
    int place = place(last);
    points[place] = point;
    times[place] = timeMs;
    histories[place] = historyDigest;
    contents[place] = contentDigest;
  }

  private long[] grown(long[] words) {
    long[] larger = new long[words.length * 2];
    for (long i = first; i < last; i++) {
      larger[(int) i & (larger.length - 1)] = words[(int) i & (words.length - 1)];
    }
    return larger;
  }

  private int place(long sequence) {
    return (int) sequence & (points.length - 1);
  }

  long point(long sequence) {
    return points[place(sequence)];
  }

  long timeMs(long sequence) {
    return times[place(sequence)];
  }

  long historyDigest(long sequence) {
    return histories[place(sequence)];
  }

  long contentDigest(long sequence) {
    return contents[place(sequence)];
  }

  void forgetBefore(long sequence) {
    first = Math.max(first, sequence);
  }

  void goBack(long sequence) {
    last = sequence;
  }
}
