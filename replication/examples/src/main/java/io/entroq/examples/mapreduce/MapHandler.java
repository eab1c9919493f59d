package io.entroq.examples.mapreduce;

import io.entroq.api.Modification;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;

/** Counts the words of a piece of text. Any thread. */
final class MapHandler implements Handler<String> {
  private final CountQueues queues;

  MapHandler(CountQueues queues) {
    this.queues = queues;
  }

  @Override
  public Outcome handle(WorkContext<String> work) {
    Counts counts = Counts.of(work.value());
    Modification.Builder parts = Modification.builder();
    for (String part : queues.parts()) {
      Counts some = counts.only(word -> queues.partOf(word).equals(part));
      parts.insert(part, Counts.CODEC.encode(some));
    }
    return Outcome.done(parts.build());
  }
}
