package io.entroq.api.redrive;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One run of a {@link Redrive}. Runs once, on one thread. */
final class RedriveRun {
  private final EntroQ queue;
  private final Redrive plan;
  private final Redrive.Listener listener;
  private final Pacer pacer;
  private final RedriveBatches<Task> batches;
  private final Instant now;

  RedriveRun(EntroQ queue, Redrive plan, Redrive.Listener listener) {
    this.queue = queue;
    this.plan = plan;
    this.listener = listener;
    this.pacer = new Pacer(plan.rate(), System::nanoTime);
    this.batches =
        new RedriveBatches<>(plan, pacer.batch(Redrive.BATCH_TASKS), Redrive.BATCH_BYTES);
    this.now = queue.time();
  }

  RedriveResult run() {
    try {
      queue.forEachTask(plan.query(), this::examine);
      while (!batches.isEmpty()) {
        move();
      }
    } catch (EndedException e) {
      // The limit was reached, or the caller stopped it.
    }
    return batches.result();
  }

  private void examine(Task task) {
    requireNotStopped();
    boolean isMatch = plan.filter().matches(task, now) && listener.selects(task);
    long bytes = task.value().size() + 4L * task.err().length();
    boolean moves = batches.examine(isMatch, task, task, bytes);
    tellProgress();
    if (moves && plan.isDryRun()) {
      listener.onMatch(task);
    }
    while (batches.isDue()) {
      move();
    }
    if (batches.isDone()) {
      throw new EndedException();
    }
  }

  private void move() {
    long waitNanos = pacer.waitNanos(batches.result().moved());
    if (waitNanos > 0) {
      listener.pause(Duration.ofNanos(waitNanos));
    }
    requireNotStopped();
    batches.begin();
    List<RedriveBatches.Move<Task>> moves = batches.next();
    while (!moves.isEmpty()) {
      move(moves);
      tellProgress();
      moves = batches.next();
    }
  }

  private void move(List<RedriveBatches.Move<Task>> moves) {
    List<Task> tasks = moves.stream().map(RedriveBatches.Move::task).toList();
    try {
      batches.count(Batch.write(queue, tasks, this::modification));
    } catch (EntroQException.ResourceExhausted | EntroQException.InvalidArgument e) {
      Optional<String> full = e.fullQueue().filter(name -> batches.split(moves, name));
      if (full.isEmpty()) {
        throw e;
      }
    }
  }

  private Modification modification(List<Task> tasks) {
    Modification.Builder moves = Modification.builder().claimant(plan.claimant());
    tasks.forEach(task -> moves.change(plan.change(task)));
    return moves.build();
  }

  private void tellProgress() {
    listener.onProgress(batches.result());
  }

  private void requireNotStopped() {
    if (listener.isStopped()) {
      throw new EndedException();
    }
  }

  /** Ends a listing from its callback. */
  private static final class EndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EndedException() {
      super("end of the redrive", null, false, false);
    }
  }
}
