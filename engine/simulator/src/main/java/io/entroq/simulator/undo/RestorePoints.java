package io.entroq.simulator.undo;

/** The state of the account after each record that may still be lost. */
public final class RestorePoints {
  private long[] points = new long[64];
  private long[] times = new long[64];
  private long[] histories = new long[64];
  private long[] contents = new long[64];
  private long first;
  private long last;

  /** Begins in front of the first record. */
  public RestorePoints(long point) {
    points[0] = point;
  }

  /** The oldest record that is remembered. */
  public long first() {
    return first;
  }

  /** The newest. */
  public long last() {
    return last;
  }

  /** Notes how everything stands after the next record. */
  public void add(long point, long timeMs, long historyDigest, long contentDigest) {
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

  public long point(long sequence) {
    return points[place(sequence)];
  }

  public long timeMs(long sequence) {
    return times[place(sequence)];
  }

  public long historyDigest(long sequence) {
    return histories[place(sequence)];
  }

  public long contentDigest(long sequence) {
    return contents[place(sequence)];
  }

  public void forgetBefore(long sequence) {
    first = Math.max(first, sequence);
  }

  public void goBack(long sequence) {
    last = sequence;
  }
}
