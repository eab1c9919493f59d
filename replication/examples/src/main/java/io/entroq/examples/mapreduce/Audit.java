package io.entroq.examples.mapreduce;

import java.util.List;

/**
 * Counts from the {@link Marker}s of a job how often each task was committed. Not thread-safe while
 * it is being filled.
 */
public final class Audit {
  private long committed;
  private long lost;
  private long committedTwice;
  private long redeliveries;
  private long quarantined;

  /** Adds the markers of a stage with this many tasks. */
  void add(int tasks, List<Marker> markers) {
    int[] commits = new int[tasks];
    for (Marker marker : markers) {
      commits[marker.ordinal()]++;
      redeliveries += marker.claims() - 1;
    }
    committed += markers.size();
    for (int count : commits) {
      lost += count == 0 ? 1 : 0;
      committedTwice += count > 1 ? 1 : 0;
    }
  }

  /** Adds a task in quarantine. */
  void addQuarantined(int claims) {
    quarantined++;
    redeliveries += claims - 1;
  }

  /** The number of commits. */
  public long committed() {
    return committed;
  }

  /** How many tasks were never committed. */
  public long lost() {
    return lost;
  }

  /** How many tasks were committed more than once. */
  public long committedTwice() {
    return committedTwice;
  }

  /** How often tasks were claimed again. */
  public long redeliveries() {
    return redeliveries;
  }

  /** How many tasks are in quarantine. */
  public long quarantined() {
    return quarantined;
  }
}
