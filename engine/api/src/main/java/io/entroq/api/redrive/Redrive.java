package io.entroq.api.redrive;

import io.entroq.api.Change;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Returns tasks from a dead queue: available at once, with attempts, errors and claims cleared, and
 * with unchanged values. Immutable; the methods that are named after a component return modified
 * copies.
 *
 * <pre>{@code
 * RedriveResult result =
 *     Redrive.from("inbox/err")
 *         .where(RedriveFilter.all().err("connection refused"))
 *         .rate(50)
 *         .run(queue);
 * }</pre>
 *
 * <p>Each task returns to the queue that the engine moved it from, its {@link Task#origin()}. One
 * that a client moved has none; it returns from a queue {@code NAME/err} to {@code NAME}, and stays
 * where it is if its queue has another name.
 *
 * <p>Tasks move in batches, each with one Modify. So a redrive may end at any time, and another
 * continues it. It skips and counts tasks that are claimed, not due, or have just changed.
 *
 * @param from the dead queue, 1 to 1,024 bytes of UTF-8
 * @param to where all tasks move, another queue; empty for where each came from
 * @param ids only these tasks; empty for all
 * @param filter which of them
 * @param limit maximum number of tasks to move; 0 for all
 * @param rate tasks per second on average; 0 for as fast as possible
 * @param isDryRun whether to move nothing, and only count what would be moved
 * @param claimant on whose behalf: it may move the tasks that it holds; may be empty
 */
public record Redrive(
    String from,
    Optional<String> to,
    List<TaskId> ids,
    RedriveFilter filter,
    long limit,
    double rate,
    boolean isDryRun,
    String claimant) {
  /** Most tasks of a batch. */
  public static final int BATCH_TASKS = 100;

  /** Most bytes of a batch with several tasks: half of the largest command. */
  public static final int BATCH_BYTES = 4 << 20;

  private static final String ERR = "/err";

  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public Redrive {
    TaskQuery unused = TaskQuery.in(from).notLeasedByOthersThan(claimant);
    to.ifPresent(TaskQuery::in);
    ids = List.copyOf(ids);
    Objects.requireNonNull(filter, "filter");
    require(!to.equals(Optional.of(from)), "the target is the dead queue itself, " + from);
    require(limit >= 0, "limit must not be negative, is " + limit);
    require(
        rate >= 0 && rate < Double.POSITIVE_INFINITY,
        "rate must be 0 or a positive number, is " + rate);
  }

  /** Returns all tasks of a dead queue to where they came from. */
  public static Redrive from(String deadQueue) {
    return new Redrive(
        deadQueue, Optional.empty(), List.of(), RedriveFilter.all(), 0, 0, false, "");
  }

  static void require(boolean isValid, String problem) {
    if (!isValid) {
      throw new EntroQException.InvalidArgument(problem);
    }
  }

  /** Moves all tasks to this queue, wherever they came from. */
  public Redrive to(String queue) {
    return new Redrive(from, Optional.of(queue), ids, filter, limit, rate, isDryRun, claimant);
  }

  /** Only these tasks, if they are in the dead queue. */
  public Redrive ids(Collection<TaskId> only) {
    return new Redrive(from, to, List.copyOf(only), filter, limit, rate, isDryRun, claimant);
  }

  /** Only tasks that the filter selects. */
  public Redrive where(RedriveFilter which) {
    return new Redrive(from, to, ids, which, limit, rate, isDryRun, claimant);
  }

  /** Moves at most so many tasks; 0 for all. */
  public Redrive limit(long tasks) {
    return new Redrive(from, to, ids, filter, tasks, rate, isDryRun, claimant);
  }

  /** Moves so many tasks per second; 0 for as fast as possible. */
  public Redrive rate(double perSecond) {
    return new Redrive(from, to, ids, filter, limit, perSecond, isDryRun, claimant);
  }

  /** Moves nothing, and counts what would be moved. */
  public Redrive dryRun() {
    return new Redrive(from, to, ids, filter, limit, rate, true, claimant);
  }

  /** On behalf of a claimant, which may move the tasks that it holds. */
  public Redrive claimant(String id) {
    return new Redrive(from, to, ids, filter, limit, rate, isDryRun, id);
  }

  /** What to read; the filter is for whoever reads it. */
  public TaskQuery query() {
    TaskQuery all = TaskQuery.in(from);
    return ids.isEmpty() ? all : TaskQuery.withIds(ids).inQueue(from);
  }

  /** Where a task goes; empty if nothing says so, or if it is there. */
  public Optional<String> target(Task task) {
    return to.or(task::origin).or(this::byName).filter(queue -> !queue.equals(from));
  }

  private Optional<String> byName() {
    return from.endsWith(ERR) && from.length() > ERR.length()
        ? Optional.of(from.substring(0, from.length() - ERR.length()))
        : Optional.empty();
  }

  /** How a task moves, which must have a {@linkplain #target target}. */
  public Change change(Task task) {
    return Change.of(task).moveTo(target(task).orElseThrow()).withAttempt(0, "").resettingClaims();
  }

  /** Whether this number of tasks is the limit. */
  public boolean isLimit(long tasks) {
    return limit > 0 && tasks >= limit;
  }

  /**
   * Returns the tasks, until all are examined, the limit is reached, or this thread is interrupted;
   * the interrupt stays pending.
   *
   * <p>Tasks stay if the queue to move them to is full; the result names it.
   *
   * @throws EntroQException if the queue fails, or refuses the tasks; some may have been moved
   */
  public RedriveResult run(EntroQ queue) {
    return run(queue, new Listener() {});
  }

  /**
   * Returns the tasks, until all are examined, the limit is reached, or the listener stops it.
   *
   * @throws EntroQException if the queue fails, or refuses the tasks; some may have been moved,
   *     which the listener knows
   */
  public RedriveResult run(EntroQ queue, Listener listener) {
    return new RedriveRun(queue, this, listener).run();
  }

  /** Follows a redrive and may stop it. Called on the thread that runs it. */
  public interface Listener {
    /** Whether to move a task that the filter selects. In a dry run, whether to count it. */
    default boolean selects(Task task) {
      return true;
    }

    /** Tells of a task that would be moved, in a dry run. */
    default void onMatch(Task task) {}

    /** Tells how far the redrive is, after each task and each batch. */
    default void onProgress(RedriveResult result) {}

    /** Whether to end the redrive before the next task or batch. */
    default boolean isStopped() {
      return Thread.currentThread().isInterrupted();
    }

    /** Waits, or less if the redrive is to end. */
    default void pause(Duration time) {
      try {
        Thread.sleep(time.toMillis(), time.toNanosPart() % 1_000_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
