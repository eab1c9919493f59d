package io.entroq.api.redrive;

import io.entroq.api.Task;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What a redrive moves with which Modify, and what became of it. Not thread-safe.
 *
 * <p>Pass each task of the dead queue to {@link #examine}. Once {@link #isDue}, and at the end of
 * the queue until this {@link #isEmpty}, {@link #begin} a batch: move what each {@link #next}
 * returns with one Modify, and report its outcome with {@link #count}, {@link #repeat} or {@link
 * #split}, until there is none.
 *
 * @param <T> a task as it is read and moved
 */
public final class RedriveBatches<T> {
  private final Redrive plan;
  private final int tasksMax;
  private final long bytesMax;

  private final List<Move<T>> collected = new ArrayList<>();
  private long collectedBytes;

  /** Of the batch: what is not moved yet. */
  private final Deque<List<Move<T>>> parts = new ArrayDeque<>();

  private RedriveResult result = RedriveResult.NOTHING;

  /**
   * @param tasksMax tasks of a batch
   * @param bytesMax bytes of a batch with several tasks
   */
  public RedriveBatches(Redrive plan, int tasksMax, long bytesMax) {
    this.plan = plan;
    this.tasksMax = tasksMax;
    this.bytesMax = bytesMax;
  }

  /** A task, and the queue to move it to. */
  public record Move<T>(T task, String target, long bytes) {}

  /**
   * Counts a task, and collects it if it is to be moved.
   *
   * @param isMatch whether the filter selects it
   * @param task for its target; the value does not matter
   * @param original the task as {@link #next} returns it
   * @return whether it is to be moved, or would be if this were no dry run
   */
  public boolean examine(boolean isMatch, Task task, T original, long bytes) {
    result = result.withExamined(isMatch);
    if (!isMatch) {
      return false;
    }
    Optional<String> target = plan.target(task);
    if (target.isEmpty()) {
      result = result.withUnplaced();
      return false;
    }
    Move<T> move = new Move<>(original, target.get(), bytes);
    boolean moves = hasRoom(move);
    if (moves && !plan.isDryRun()) {
      collected.add(move);
      collectedBytes += bytes;
    }
    return moves;
  }

  /** Whether the queue of a task is not known to be full; counts the task if it is. */
  private boolean hasRoom(Move<T> move) {
    boolean isFull = result.full().containsKey(move.target());
    result = isFull ? result.withFull(move.target(), 1) : result;
    return !isFull;
  }

  /** Whether nothing is collected. */
  public boolean isEmpty() {
    return collected.isEmpty();
  }

  /** Whether enough is collected for a batch, or for the limit. */
  public boolean isDue() {
    return !isEmpty()
        && (collected.size() >= tasksMax
            || collectedBytes > bytesMax
            || plan.isLimit(result.moved() + collected.size()));
  }

  /** Makes a batch of what is collected, except a last task with which it would be too large. */
  public void begin() {
    int size = collected.size();
    List<Move<T>> batch =
        collected.subList(0, collectedBytes > bytesMax && size > 1 ? size - 1 : size);
    parts.add(List.copyOf(batch));
    batch.clear();
    collectedBytes = collected.stream().mapToLong(Move::bytes).sum();
  }

  /** What to move with the next Modify; empty at the end of the batch. */
  public List<Move<T>> next() {
    while (!parts.isEmpty()) {
      List<Move<T>> part = parts.pop().stream().filter(this::hasRoom).toList();
      if (!part.isEmpty()) {
        return part;
      }
    }
    return List.of();
  }

  /** Counts tasks that were moved or skipped. */
  public void count(Batch done) {
    result = result.with(done);
  }

  /** Lets tasks be moved with the next Modify, because nothing was done. */
  public void repeat(List<Move<T>> moves) {
    parts.push(moves);
  }

  /**
   * Divides what was refused because a queue has no room: half of the tasks for it may fit where
   * all do not. If there is no room for one, no more are moved there.
   *
   * @return false if none of them goes to the queue
   */
  public boolean split(List<Move<T>> moves, String fullQueue) {
    List<Move<T>> own = moves.stream().filter(move -> move.target().equals(fullQueue)).toList();
    if (own.isEmpty()) {
      return false;
    }
    if (own.size() == 1) {
      result = result.withFull(fullQueue, 1);
    } else {
      parts.push(own.subList(own.size() / 2, own.size()));
      parts.push(own.subList(0, own.size() / 2));
    }
    parts.push(moves.stream().filter(move -> !move.target().equals(fullQueue)).toList());
    return true;
  }

  /** Whether the limit is reached. */
  public boolean isDone() {
    return plan.isLimit(plan.isDryRun() ? result.matched() - result.unplaced() : result.moved());
  }

  /** What was done so far. */
  public RedriveResult result() {
    return result;
  }

  /** Moves no more of what is collected. */
  public void clear() {
    collected.clear();
    collectedBytes = 0;
    parts.clear();
  }
}
