package io.entroq.perf.engine;

import io.entroq.api.Claim;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.Backlog;
import io.entroq.perf.fixture.DirectMemory;

/** A backlog, and what each of its tasks takes beyond its value as it grows. */
final class GrowingBacklog {
  /** So often the engine has to be asked something before it looks again at how much it holds. */
  private static final int COMMANDS_UNTIL_SEEN = 256;

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
   * @param countsFrom from how many tasks on the extremes are kept: with few, what the engine holds
   *     anyway is spread over too few
   */
  GrowingBacklog(EmbeddedEntroQ queue, int valueBytes, long othersDirectBytes, long countsFrom) {
    this.queue = queue;
    this.backlog = new Backlog(queue, "inbox", valueBytes);
    this.valueBytes = valueBytes;
    this.countsFrom = countsFrom;
    this.othersDirectBytes = othersDirectBytes;
  }

  /** Grows, and says how many bytes each task takes beyond its value then. */
  double growTo(long tasks) {
    backlog.growTo(tasks);
    double beyond = (double) memoryBytes() / tasks - valueBytes;
    if (tasks >= countsFrom) {
      keep(tasks, beyond);
    }
    return beyond;
  }

  /** The same by the count of the JVM, into which goes what the engine needs beside tasks. */
  double directBeyond(long tasks) {
    return (double) (DirectMemory.bytes() - othersDirectBytes) / tasks - valueBytes;
  }

  private long memoryBytes() {
    Claim nothing = Claim.from("nothing");
    for (int i = 0; i < COMMANDS_UNTIL_SEEN; i++) {
      queue.tryClaim(nothing);
    }
    return queue.stats().memoryBytes();
  }

  private void keep(long tasks, double beyond) {
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
