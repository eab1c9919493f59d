package io.entroq.codec.result;

import io.entroq.codec.command.Slice;
import io.entroq.codec.command.WireWriter;

/** A QueueStats to be encoded. Reused; one thread at a time. */
public final class QueueStatsFields {
  private final Slice name = new Slice();
  private long tasks;
  private long available;
  private long claimed;
  private long held;
  private long future;
  private int maxClaims;
  private long oldestAgeMs;

  /** All defaults. */
  public QueueStatsFields() {}

  /** Sets all to defaults. */
  public QueueStatsFields clear() {
    name.clear();
    tasks = 0;
    available = 0;
    claimed = 0;
    held = 0;
    future = 0;
    maxClaims = 0;
    oldestAgeMs = 0;
    return this;
  }

  /** The name, to be set. */
  public Slice name() {
    return name;
  }

  /** Sets how many tasks there are. */
  public QueueStatsFields tasks(long tasks) {
    this.tasks = tasks;
    return this;
  }

  /** Sets how many are due by now. */
  public QueueStatsFields available(long available) {
    this.available = available;
    return this;
  }

  /** Sets how many are not due, and claimed at least once. */
  public QueueStatsFields claimed(long claimed) {
    this.claimed = claimed;
    return this;
  }

  /** Sets how many are not due, and somebody's. */
  public QueueStatsFields held(long held) {
    this.held = held;
    return this;
  }

  /** Sets how many are not due, and never claimed. */
  public QueueStatsFields future(long future) {
    this.future = future;
    return this;
  }

  /** Sets the largest number of claims of any task. */
  public QueueStatsFields maxClaims(int maxClaims) {
    this.maxClaims = maxClaims;
    return this;
  }

  /** Sets for how many milliseconds the oldest available task has been due. */
  public QueueStatsFields oldestAgeMs(long oldestAgeMs) {
    this.oldestAgeMs = oldestAgeMs;
    return this;
  }

  private int size() {
    return WireWriter.bytesFieldSize(name)
        + WireWriter.varintFieldSize(tasks)
        + WireWriter.varintFieldSize(available)
        + WireWriter.varintFieldSize(claimed)
        + WireWriter.varintFieldSize(held)
        + WireWriter.varintFieldSize(future)
        + WireWriter.varintFieldSize(Integer.toUnsignedLong(maxClaims))
        + WireWriter.varintFieldSize(oldestAgeMs);
  }

  void write(WireWriter writer, int field) {
    writer.messageField(field, size());
    writer.bytesField(1, name);
    writer.varintField(2, tasks);
    writer.varintField(3, available);
    writer.varintField(4, claimed);
    writer.varintField(5, held);
    writer.varintField(6, future);
    writer.varintField(7, Integer.toUnsignedLong(maxClaims));
    writer.varintField(8, oldestAgeMs);
  }
}
