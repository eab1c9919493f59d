package io.entroq.engine.task;

import io.entroq.engine.memory.DeadlineSource;
import io.entroq.engine.memory.SlotHeap;
import io.entroq.engine.memory.SparseRecords;

/**
 * The tasks that expire, in the order in which they do: by time, then by id. Costs nothing for
 * other tasks. Not state: it follows from the attributes of tasks.
 */
public final class ExpiryIndex extends SlotHeap implements DeadlineSource {

  /** When it expires, above 0. */
  private static final int EXPIRES = 0;

  /** 1 + its position in the heap; 0 if it is not in it. */
  private static final int POSITION = 8;

  private static final int RECORD_BYTES = 16;

  private final TaskStore tasks;
  private final SparseRecords records = new SparseRecords(RECORD_BYTES);

  public ExpiryIndex(TaskStore tasks) {
    this.tasks = tasks;
  }

  /**
   * Sets when a task expires.
   *
   * @param expiresMs milliseconds since the epoch; 0 or less: never
   */
  public void set(int task, long expiresMs) {
    boolean isIn = has(task);
    if (expiresMs <= 0) {
      remove(task);
    } else if (isIn) {
      records.putLong(task, EXPIRES, expiresMs);
      updateAt(records.getInt(task, POSITION) - 1);
    } else {
      records.add(task);
      records.putLong(task, EXPIRES, expiresMs);
      add(task);
    }
  }

  /** Removes a task, if it is here. */
  public void remove(int task) {
    if (has(task)) {
      removeAt(records.getInt(task, POSITION) - 1);
      records.remove(task);
    }
  }

  private boolean has(int task) {
    return size() > 0 && records.mayHave(task) && records.getInt(task, POSITION) > 0;
  }

  @Override
  protected boolean before(int a, int b) {
    long timeA = records.getLong(a, EXPIRES);
    long timeB = records.getLong(b, EXPIRES);
    return timeA != timeB ? timeA < timeB : tasks.compareIds(a, b) < 0;
  }

  @Override
  protected void moved(int task, int position) {
    records.putInt(task, POSITION, position + 1);
  }

  @Override
  public long firstDeadlineMs() {
    return size() == 0 ? Long.MAX_VALUE : records.getLong(root(), EXPIRES);
  }

  public long memoryBytes() {
    return records.memoryBytes();
  }

  /** Frees all memory; the index must not be used afterwards. */
  public void closeAll() {
    records.close();
    close();
  }
}
