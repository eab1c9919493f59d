package io.entroq.examples.mapreduce;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import java.time.Duration;

/**
 * Begins a stage when those before it have ended, which is to say that their queues are empty: a
 * step of the work deletes its task in the same Modify that inserts what comes next, so a queue
 * that is filled by an empty one stays empty. The queues are therefore looked at one after the
 * other, in the order in which they fill each other.
 *
 * <p>Any thread. While it waits, the worker renews its lease.
 */
public final class Coordination implements Handler<Value> {
  /** How many coordinating tasks a job has, one after the other. */
  static final int STEPS = 2;

  /** So short that the pauses between two looks stay short. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Job job;

  /** Coordinates a job. */
  public Coordination(Job job) {
    this.job = job;
  }

  /** The task to begin with. */
  static Insert first() {
    return step(0);
  }

  @Override
  public Outcome handle(WorkContext<Value> work) throws InterruptedException {
    int step = Integer.parseInt(work.value().asText());
    Modification.Builder next = Modification.builder().insert(Marker.of(work.task(), step));
    if (step == 0) {
      awaitEnd(work, Stage.MAP);
      awaitEnd(work, Stage.SHUFFLE);
      for (int partition = 0; partition < job.partitions(); partition++) {
        next.insert(task(Stage.REDUCE, partition));
      }
      next.insert(step(1));
    } else {
      awaitEnd(work, Stage.REDUCE);
    }
    return Outcome.done(next.build());
  }

  private static void awaitEnd(WorkContext<Value> work, Stage stage) throws InterruptedException {
    EntroQ queue = work.queue();
    while (!queue.waitQueuesEmpty(QueueQuery.named(stage.queue()), LOOK)) {
      work.throwIfCancelled();
    }
  }

  private static Insert step(int step) {
    return task(Stage.COORDINATE, step);
  }

  private static Insert task(Stage stage, int ordinal) {
    return Insert.into(stage.queue())
        .withId(Ids.task(stage, ordinal))
        .withValue(Integer.toString(ordinal));
  }
}
