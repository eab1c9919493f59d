package io.entroq.service.insight;

import java.util.Arrays;

/**
 * Counts over time at each {@link RateStep}. Points are numbered since the epoch: number n begins
 * after n steps. Memory is allocated for hours, tens of minutes or minutes in which something
 * happened. Not thread-safe.
 */
final class RateSeries {
  /** At most, if something happens all the time. */
  static final int BYTES_MAX = 52 << 10;

  private static final int CHUNK_POINTS = 60;

  /** By step and number of the chunk, modulo how many there are; null if nothing happened. */
  private final int[][][] chunks = new int[RateStep.values().length][][];

  /** The numbers of those chunks. */
  private final long[][] numbers = new long[RateStep.values().length][];

  RateSeries() {
    for (RateStep step : RateStep.values()) {
      // One more, since the newest is not full.
      int count = step.points() / CHUNK_POINTS + 1;
      chunks[step.ordinal()] = new int[count][];
      numbers[step.ordinal()] = new long[count];
    }
  }

  /** Adds what happened within a second since the epoch, which is the last one or a later one. */
  void add(long second, int[] counts) {
    for (RateStep step : RateStep.values()) {
      long point = second / step.seconds();
      int[] chunk = chunk(step, point / CHUNK_POINTS);
      int at = (int) (point % CHUNK_POINTS) * Event.COUNT;
      for (int i = 0; i < Event.COUNT; i++) {
        chunk[at + i] += counts[i];
      }
    }
  }

  private int[] chunk(RateStep step, long number) {
    int[][] ofStep = chunks[step.ordinal()];
    long[] numbersOfStep = numbers[step.ordinal()];
    int place = (int) (number % ofStep.length);
    if (ofStep[place] == null || numbersOfStep[place] != number) {
      for (int i = 0; i < ofStep.length; i++) {
        if (numbersOfStep[i] <= number - ofStep.length) {
          ofStep[i] = null;
        }
      }
      ofStep[place] = new int[CHUNK_POINTS * Event.COUNT];
      numbersOfStep[place] = number;
    }
    return ofStep[place];
  }

  /** How often something happened within a point; 0 if that is too old. */
  int count(RateStep step, long point, Event event) {
    long number = point / CHUNK_POINTS;
    int place = (int) (number % numbers[step.ordinal()].length);
    int[] chunk = chunks[step.ordinal()][place];
    return chunk == null || numbers[step.ordinal()][place] != number
        ? 0
        : chunk[(int) (point % CHUNK_POINTS) * Event.COUNT + event.ordinal()];
  }

  /** The sum of some points, the last of which is given. */
  long sum(RateStep step, long lastPoint, int points, Event event) {
    long sum = 0;
    for (int i = 0; i < points; i++) {
      sum += count(step, lastPoint - i, event);
    }
    return sum;
  }

  /** How much memory the points take at present. */
  int bytes() {
    return (int)
            Arrays.stream(chunks).flatMap(Arrays::stream).filter(chunk -> chunk != null).count()
        * CHUNK_POINTS
        * Event.COUNT
        * Integer.BYTES;
  }
}
