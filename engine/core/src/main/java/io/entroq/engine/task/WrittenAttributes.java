package io.entroq.engine.task;

import io.entroq.codec.command.TaskItem;
import io.entroq.codec.message.DeadReasons;
import org.agrona.DirectBuffer;

/** The attributes that commands give to tasks, and when tasks expire by them. */
public final class WrittenAttributes {

  private static final Bytes NOTHING = new Bytes();

  private final TaskStore tasks;
  private final ExpiryIndex expiries;
  private final TaskAttributes attributes = new TaskAttributes();
  private final Bytes stored = new Bytes();

  public WrittenAttributes(TaskStore tasks, ExpiryIndex expiries) {
    this.tasks = tasks;
    this.expiries = expiries;
  }

  /**
   * The attributes of a task to insert, encoded; valid until the next call.
   *
   * @param ttlMs after how many milliseconds it expires; 0 or less: never
   */
  public Bytes ofInsert(TaskItem item, DirectBuffer command, long ttlMs, long nowMs) {
    if (ttlMs == 0 && item.traceLength() == 0) {
      return NOTHING;
    }
    attributes.clear().expiresMs(expiresMs(ttlMs, nowMs));
    attributes.trace().set(command, item.traceOffset(), item.traceLength());
    return attributes.encode();
  }

  /**
   * The attributes of a task after a change, encoded; valid until the next call. It keeps what the
   * change does not name, except for what the server said when it moved the task, if it moves
   * again.
   */
  public Bytes ofChange(
      int task, TaskItem item, DirectBuffer command, boolean isMoved, long nowMs) {
    tasks.attributes(task, stored);
    boolean isNamed = item.ttlMs() != 0 || item.traceLength() > 0;
    if (!isNamed && (stored.length() == 0 || !isMoved)) {
      return stored;
    }
    attributes.read(stored);
    if (item.ttlMs() != 0) {
      attributes.expiresMs(expiresMs(item.ttlMs(), nowMs));
    }
    if (item.traceLength() > 0) {
      attributes.trace().set(command, item.traceOffset(), item.traceLength());
    }
    if (isMoved) {
      attributes.origin().clear();
      attributes.died(DeadReasons.NONE, 0);
    }
    return attributes.encode();
  }

  private static long expiresMs(long ttlMs, long nowMs) {
    return ttlMs > 0 ? ArrivalTime.saturatedSum(nowMs, ttlMs) : ttlMs;
  }

  /**
   * Puts a written task among those that expire.
   *
   * @param ttlMs 0 if it stays as it was
   */
  public void expires(int task, long ttlMs, long nowMs) {
    if (ttlMs != 0) {
      expiries.set(task, expiresMs(ttlMs, nowMs));
    }
  }
}
