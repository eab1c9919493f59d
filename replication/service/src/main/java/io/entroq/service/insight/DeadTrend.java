package io.entroq.service.insight;

/** By how many tasks a dead queue grew in each minute of the last hour. Not thread-safe. */
final class DeadTrend {
  static final int MINUTES = 60;

  // One more, since the newest is not complete.
  private final int[] growth = new int[MINUTES + 1];
  private final long[] minutes = new long[MINUTES + 1];

  /** A task came, or went. */
  void add(long minute, int tasks) {
    int place = (int) (minute % minutes.length);
    if (minutes[place] != minute) {
      minutes[place] = minute;
      growth[place] = 0;
    }
    growth[place] += tasks;
  }

  /** By how many tasks it grew in this minute and some before it, up to an hour in all. */
  long growth(long minute, int count) {
    long sum = 0;
    for (int place = 0; place < minutes.length; place++) {
      if (minutes[place] > minute - count && minutes[place] <= minute) {
        sum += growth[place];
      }
    }
    return sum;
  }
}
