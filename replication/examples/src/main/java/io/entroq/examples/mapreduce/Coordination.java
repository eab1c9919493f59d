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
 * Starts a stage when the stages before it have ended, that is, when their queues are empty. Each
 * step deletes its task and inserts its results in one Modify, so once the map queue is empty, no
 * shuffle task is added. It is therefore enough to await the queues one by one, in the order of the
 * stages.
 *
 * <p>Thread-safe. The worker renews the lease while this waits.
 */
public final class Coordination implements Handler<Value> {
  /** How many coordination tasks a job has; each inserts the next. */
  static final int STEPS = 2;

  /** Bounds how long a cancellation goes unnoticed. */
  private static final Duration POLL = Duration.ofMillis(100);

  private final Job job;

  public Coordination(Job job) {
    this.job = job;
  }

  /** The first coordination task. */
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
    while (!queue.waitQueuesEmpty(QueueQuery.named(stage.queue()), POLL)) {
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
