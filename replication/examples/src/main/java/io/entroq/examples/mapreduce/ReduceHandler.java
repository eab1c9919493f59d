package io.entroq.examples.mapreduce;

import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;

/**
 * Adds up all counts of a part. Whoever holds the reduce task may take them without a claim: they
 * go in the commit that makes the sum, so they are added up once. Any thread.
 */
final class ReduceHandler implements Handler<String> {
  private final CountQueues queues;

  ReduceHandler(CountQueues queues) {
    this.queues = queues;
  }

  @Override
  public Outcome handle(WorkContext<String> work) {
    Counts sum = new Counts();
    Modification.Builder commit = Modification.builder();
    for (Task counts : work.queue().tasks(TaskQuery.in(work.value()))) {
      sum.addAll(Counts.CODEC.decode(counts.value()));
      commit.delete(counts);
    }
    return Outcome.done(commit.insert(queues.sums(), Counts.CODEC.encode(sum)).build());
  }
}
