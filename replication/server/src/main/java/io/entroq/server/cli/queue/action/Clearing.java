package io.entroq.server.cli.queue.action;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.api.redrive.Batch;
import io.entroq.tools.terminal.Interruption;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** Deletes all tasks of a queue, in batches. */
public final class Clearing {
  private static final int BATCH_TASKS = 1_000;
  private static final Duration WAIT = Duration.ofSeconds(10);

  private final EntroQ queue;
  private final String queueName;
  private final String claimant;
  private final Interruption interruption;
  private final LongConsumer progress;
  private final Runnable onWait;
  private long deleted;

  /**
   * @param claimant may be empty, for a random one
   * @param progress receives the number of deleted tasks
   * @param onWait runs before the first wait for tasks that are claimed or not due
   */
  public Clearing(
      EntroQ queue,
      String queueName,
      String claimant,
      Interruption interruption,
      LongConsumer progress,
      Runnable onWait) {
    this.queue = queue;
    this.queueName = queueName;
    this.claimant = claimant;
    this.interruption = interruption;
    this.progress = progress;
    this.onWait = onWait;
  }

  public long deleted() {
    return deleted;
  }

  /**
   * Claims and deletes tasks until the queue is empty; waits for claimed ones and for due times.
   */
  public void run() {
    Claim claim = Claim.from(queueName).withLimit(BATCH_TASKS).withClaimant(claimant);
    boolean isWaiting = false;
    while (!interruption.isRequested()) {
      List<Task> tasks = queue.tryClaimMany(claim);
      if (tasks.isEmpty()) {
        if (queue.areQueuesEmpty(QueueQuery.named(queueName))) {
          return;
        }
        if (!isWaiting) {
          onWait.run();
        }
        isWaiting = true;
        tasks = interruption.await(queue.claimAsync(claim.withMaxWait(WAIT))).orElse(List.of());
      }
      delete(claimant, tasks);
    }
  }

  /** Deletes tasks until the queue is empty, each on behalf of its current claimant. */
  public void force() {
    TaskQuery page = TaskQuery.in(queueName).withoutValues().withLimit(BATCH_TASKS);
    List<Task> tasks = queue.tasks(page);
    while (!tasks.isEmpty() && !interruption.isRequested()) {
      tasks.stream().collect(Collectors.groupingBy(Task::claimant)).forEach(this::delete);
      tasks = queue.tasks(page);
    }
  }

  /** Skips tasks that have changed; the next round deletes them. */
  private void delete(String owner, List<Task> tasks) {
    Batch batch = Batch.write(queue, tasks, rest -> deletion(rest).withClaimant(owner));
    deleted += batch.done();
    progress.accept(deleted);
  }

  private static Modification deletion(List<Task> tasks) {
    return Modification.delete(tasks.stream().map(Task::ref).toArray(TaskRef[]::new));
  }
}
