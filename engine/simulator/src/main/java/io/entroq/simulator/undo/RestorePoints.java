package io.entroq.simulator.undo;

import org.agrona.collections.Long2ObjectHashMap;

/** The state of the account after each record that may still be lost. */
public final class RestorePoints {
  private final Long2ObjectHashMap<Point> points = new Long2ObjectHashMap<>();
  private long first;
  private long last;

  /**
   * The state after one record.
   *
   * @param cells the {@link Cells#point} to go back to
   * @param timeMs log time of the record
   */
  public record Point(long cells, long timeMs, long historyDigest, long contentDigest) {}

  /**
   * @param start the state before the first record
   */
  public RestorePoints(Point start) {
    points.put(0, start);
  }

  /** The oldest record that is kept. */
  public long first() {
    return first;
  }

  /** The newest record. */
  public long last() {
    return last;
  }

  /** Adds the state after the next record. */
  public void add(Point point) {
    last++;
    points.put(last, point);
  }

  public Point at(long sequence) {
    return points.get(sequence);
  }

  public void forgetBefore(long sequence) {
    for (; first < sequence; first++) {
      points.remove(first);
    }
  }

  public void goBack(long sequence) {
    for (; last > sequence; last--) {
      points.remove(last);
    }
  }
}
