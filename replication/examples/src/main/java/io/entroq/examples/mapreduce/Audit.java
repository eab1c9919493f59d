package io.entroq.examples.mapreduce;

import java.util.List;

/**
 * What the {@link Marker}s of a job prove: of each task that had to be committed, how often it was.
 * For one thread until it is filled.
 */
public final class Audit {
  private long committed;
  private long lost;
  private long committedTwice;
  private long redeliveries;
  private long quarantined;

  /** Adds a stage that had so many tasks. */
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

  /** How many commits there were. */
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

  /** How often a task was handed out again. */
  public long redeliveries() {
    return redeliveries;
  }

  /** How many tasks are in quarantine. */
  public long quarantined() {
    return quarantined;
  }
}
