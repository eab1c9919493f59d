package io.entroq.api;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * Which tasks to read. Immutable; the {@code with} methods return modified copies.
 *
 * <p>A query with ids returns those tasks that exist, in the order of the ids; with a queue as
 * well, only those in that queue. A query with only a queue returns all its tasks, in no particular
 * order.
 *
 * @param queue the queue; empty for any
 * @param ids the ids; empty for all tasks of the queue
 * @param claimant omits tasks that others than this claimant hold; empty omits none
 * @param limit how many tasks at most; 0 for all
 * @param omitValues whether to omit values
 */
public record TaskQuery(
    String queue, List<TaskId> ids, String claimant, int limit, boolean omitValues) {
  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public TaskQuery {
    Objects.requireNonNull(queue, "queue");
    ids = List.copyOf(ids);
    Checks.claimant(claimant);
    Checks.inRange("limit", limit, 0, Integer.MAX_VALUE);
  }

  public static TaskQuery in(String queue) {
    return new TaskQuery(Checks.queue(queue), List.of(), "", 0, false);
  }

  /** The tasks with these ids, in any queue. */
  public static TaskQuery withIds(TaskId... ids) {
    return withIds(Arrays.asList(ids));
  }

  /** The tasks with these ids, in any queue; no tasks if there are no ids. */
  public static TaskQuery withIds(Collection<TaskId> ids) {
    return new TaskQuery("", List.copyOf(ids), "", 0, false);
  }

  /** Returns only tasks in this queue. */
  public TaskQuery inQueue(String newQueue) {
    return new TaskQuery(Checks.queue(newQueue), ids, claimant, limit, omitValues);
  }

  /** Omits tasks that others than this claimant hold. */
  public TaskQuery notLeasedByOthersThan(String newClaimant) {
    return new TaskQuery(queue, ids, newClaimant, limit, omitValues);
  }

  /** Returns at most so many tasks; 0 for all. */
  public TaskQuery withLimit(int newLimit) {
    return new TaskQuery(queue, ids, claimant, newLimit, omitValues);
  }

  public TaskQuery withoutValues() {
    return new TaskQuery(queue, ids, claimant, limit, true);
  }
}
