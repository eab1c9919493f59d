package io.entroq.perf.engine;

import io.entroq.api.Claim;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.Backlog;
import io.entroq.perf.fixture.DirectMemory;

/** A growing backlog, and the memory of each task beyond its value. */
final class GrowingBacklog {
  /** Commands after which the engine has updated its memory figures. */
  private static final int COMMANDS_PER_UPDATE = 256;

  private final EmbeddedEntroQ queue;
  private final Backlog backlog;
  private final int valueBytes;
  private final long countsFrom;
  private final long othersDirectBytes;
  private double least = Double.MAX_VALUE;
  private double greatest;
  private long leastAt;
  private long greatestAt;

  /**
   * @param othersDirectBytes direct memory of the process before the engine was opened
   * @param countsFrom the number of tasks from which extremes count; with fewer, the fixed memory
   *     of the engine dominates
   */
  GrowingBacklog(EmbeddedEntroQ queue, int valueBytes, long othersDirectBytes, long countsFrom) {
    this.queue = queue;
    this.backlog = new Backlog(queue, "inbox", valueBytes);
    this.valueBytes = valueBytes;
    this.countsFrom = countsFrom;
    this.othersDirectBytes = othersDirectBytes;
  }

  /** Grows, and returns the bytes of a task beyond its value. */
  double growTo(long tasks) {
    backlog.growTo(tasks);
    double beyond = (double) memoryBytes() / tasks - valueBytes;
    if (tasks >= countsFrom) {
      updateExtremes(tasks, beyond);
    }
    return beyond;
  }

  /** The same as the JVM counts it, with the memory that the engine needs besides tasks. */
  double directBeyond(long tasks) {
    return (double) (DirectMemory.bytes() - othersDirectBytes) / tasks - valueBytes;
  }

  private long memoryBytes() {
    Claim nothing = Claim.from("nothing");
    for (int i = 0; i < COMMANDS_PER_UPDATE; i++) {
      queue.tryClaim(nothing);
    }
    return queue.stats().memoryBytes();
  }

  private void updateExtremes(long tasks, double beyond) {
    if (beyond < least) {
      least = beyond;
      leastAt = tasks;
    }
    if (beyond > greatest) {
      greatest = beyond;
      greatestAt = tasks;
    }
  }

  double least() {
    return least;
  }

  long leastAt() {
    return leastAt;
  }

  double greatest() {
    return greatest;
  }

  long greatestAt() {
    return greatestAt;
  }
}
