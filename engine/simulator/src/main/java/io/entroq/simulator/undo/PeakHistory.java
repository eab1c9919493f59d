package io.entroq.simulator.undo;

import java.util.Arrays;

/** The maximum of a quantity since a given record, to the accuracy of 256 records. */
public final class PeakHistory {
  private static final int STRETCH_SHIFT = 8;

  private long[] peaks = new long[64];

  /** The newest stretch. */
  private int last;

  /** Adds the quantity after a record; records come in order. */
  public void note(long sequence, long amount) {
    int stretch = stretch(sequence);
    if (stretch >= peaks.length) {
      peaks = Arrays.copyOf(peaks, stretch * 2);
    }
    last = stretch;
    peaks[stretch] = Math.max(peaks[stretch], amount);
  }

  /** The maximum since a record, inclusive. */
  public long since(long sequence) {
    long most = 0;
    for (int i = stretch(sequence); i <= last; i++) {
      most = Math.max(most, peaks[i]);
    }
    return most;
  }

  /** Forgets everything after a record. */
  public void goBack(long sequence) {
    int stretch = stretch(sequence);
    if (stretch < last) {
      Arrays.fill(peaks, stretch + 1, last + 1, 0);
      last = stretch;
    }
  }

  private static int stretch(long sequence) {
    return (int) (sequence >>> STRETCH_SHIFT);
  }
}
