package io.entroq.api;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * Which tasks to read. Immutable; the {@code with} methods return altered copies.
 *
 * <p>With ids: those tasks, in the order of the ids, unknown ones left out; with a queue too, only
 * those in that queue. With a queue only: all its tasks, in any order.
 *
 * @param queue the queue; empty: any
 * @param ids the ids; none: all of the queue
 * @param claimant leaves out tasks that are leased by others than this claimant; empty: leaves out
 *     nothing
 * @param limit how many tasks at most; 0: all
 * @param omitValues whether to leave values out
 */
public record TaskQuery(
    String queue, List<TaskId> ids, String claimant, int limit, boolean omitValues) {
  /**
   * Checks the components.
   *
   * @throws EntroQException.InvalidArgument if one is out of its range
   */
  public TaskQuery {
    Objects.requireNonNull(queue, "queue");
    ids = List.copyOf(ids);
    Checks.claimant(claimant);
    Checks.inRange("limit", limit, 0, Integer.MAX_VALUE);
  }

  /** All tasks of a queue. */
  public static TaskQuery in(String queue) {
    return new TaskQuery(Checks.queue(queue), List.of(), "", 0, false);
  }

  /** The tasks with these ids, in any queue. */
  public static TaskQuery withIds(TaskId... ids) {
    return withIds(Arrays.asList(ids));
  }

  /** The tasks with these ids, in any queue. No ids: no tasks. */
  public static TaskQuery withIds(Collection<TaskId> ids) {
    return new TaskQuery("", List.copyOf(ids), "", 0, false);
  }

  /** The same, only those in a queue. */
  public TaskQuery inQueue(String newQueue) {
    return new TaskQuery(Checks.queue(newQueue), ids, claimant, limit, omitValues);
  }

  /** The same without tasks that others lease. */
  public TaskQuery notLeasedByOthersThan(String newClaimant) {
    return new TaskQuery(queue, ids, newClaimant, limit, omitValues);
  }

  /** The same with at most so many tasks; 0: all. */
  public TaskQuery withLimit(int newLimit) {
    return new TaskQuery(queue, ids, claimant, newLimit, omitValues);
  }

  /** The same with values left out. */
  public TaskQuery withoutValues() {
    return new TaskQuery(queue, ids, claimant, limit, true);
  }
}
