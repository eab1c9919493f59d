package io.entroq.api.redrive;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One run of a {@link Redrive}. Runs once, on one thread. */
final class RedriveRun {
  private final EntroQ queue;
  private final Redrive plan;
  private final Redrive.Listener listener;
  private final Pacer pacer;
  private final Instant now;
  private final List<Task> batch = new ArrayList<>();
  private long batchBytes;
  private RedriveResult result = RedriveResult.NOTHING;

  RedriveRun(EntroQ queue, Redrive plan, Redrive.Listener listener) {
    this.queue = queue;
    this.plan = plan;
    this.listener = listener;
    this.pacer = new Pacer(plan.rate(), System::nanoTime, listener::pause);
    this.now = queue.time();
  }

  RedriveResult run() {
    try {
      queue.forEachTask(plan.query(), this::examine);
      move();
    } catch (EndedException e) {
      // The limit was reached, or the caller stopped it.
    }
    return result;
  }

  private void examine(Task task) {
    requireNotStopped();
    boolean isMatch = plan.filter().matches(task, now) && listener.selects(task);
    Optional<String> target = isMatch ? plan.target(task) : Optional.empty();
    progress(result.withExamined(isMatch));
    if (target.isPresent()) {
      take(task, target.get());
    } else if (isMatch) {
      progress(result.withUnplaced());
    }
  }

  private void take(Task task, String target) {
    if (result.full().containsKey(target)) {
      progress(result.withFull(target, 1));
    } else if (plan.isDryRun()) {
      listener.onMatch(task);
      requireBelowLimit(result.matched() - result.unplaced());
    } else {
      add(task);
    }
  }

  private void add(Task task) {
    long bytes = task.value().size() + 4L * task.err().length();
    if (batchBytes + bytes > Redrive.BATCH_BYTES) {
      move();
    }
    batch.add(task);
    batchBytes += bytes;
    if (batch.size() >= pacer.batch(Redrive.BATCH_TASKS)
        || plan.isLimit(result.moved() + batch.size())) {
      move();
      requireBelowLimit(result.moved());
    }
  }

  private void move() {
    pacer.await(result.moved());
    requireNotStopped();
    List<Task> tasks = List.copyOf(batch);
    batch.clear();
    batchBytes = 0;
    move(tasks);
  }

  private void move(List<Task> tasks) {
    List<Task> moving = new ArrayList<>();
    for (Task task : tasks) {
      String target = plan.target(task).orElseThrow();
      if (result.full().containsKey(target)) {
        progress(result.withFull(target, 1));
      } else {
        moving.add(task);
      }
    }
    try {
      progress(result.with(Batch.write(queue, moving, this::modification)));
    } catch (EntroQException.ResourceExhausted | EntroQException.InvalidArgument e) {
      RefusedMove<Task> refused =
          RefusedMove.of(
              e.fullQueue().orElseThrow(() -> e), moving, task -> plan.target(task).orElseThrow());
      refused.full().ifPresent(full -> progress(result.withFull(full, refused.stay().size())));
      refused.parts().forEach(this::move);
    }
  }

  private Modification modification(List<Task> tasks) {
    Modification.Builder moves = Modification.builder().claimant(plan.claimant());
    tasks.forEach(task -> moves.change(plan.change(task)));
    return moves.build();
  }

  private void progress(RedriveResult next) {
    result = next;
    listener.onProgress(next);
  }

  private void requireBelowLimit(long tasks) {
    if (plan.isLimit(tasks)) {
      throw new EndedException();
    }
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
