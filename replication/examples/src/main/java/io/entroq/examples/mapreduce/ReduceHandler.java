package io.entroq.examples.mapreduce;

import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import io.entroq.examples.mapreduce.text.WordCounts;

/**
 * Adds up the partial counts of a partition. One commit deletes them and inserts the results.
 * Thread-safe.
 */
final class ReduceHandler implements Handler<Value> {
  private static final int RESULT_BYTES = 256 << 10;

  @Override
  public Outcome handle(WorkContext<Value> work) {
    int partition = Integer.parseInt(work.value().asText());
    Modification.Builder next = Modification.builder().insert(Marker.of(work.task(), partition));
    WordCounts counts = new WordCounts();
    for (Task partial : work.queue().tasks(TaskQuery.in(Queues.partial(partition)))) {
      CountsCodec.decode(partial.value(), counts);
      next.delete(partial);
    }
    CountsCodec.encode(partition, counts, RESULT_BYTES)
        .forEach(value -> next.insert(Queues.RESULT, value));
    return Outcome.done(next.build());
  }
}
