package io.entroq.examples.mapreduce;

import io.entroq.api.Modification;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import io.entroq.examples.mapreduce.text.WordCounts;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Divides the counts of a chunk by partition, so that all counts of a word reach the same reduce
 * task. Thread-safe.
 */
final class ShuffleHandler implements Handler<Value> {
  private final int partitions;

  ShuffleHandler(int partitions) {
    this.partitions = partitions;
  }

  @Override
  public Outcome handle(WorkContext<Value> work) {
    int ordinal = CountsCodec.ordinal(work.value());
    WordCounts counts = new WordCounts();
    CountsCodec.decode(work.value(), counts);
    SortedMap<Integer, WordCounts> parts = new TreeMap<>();
    counts
        .entries()
        .forEach(
            entry ->
                parts
                    .computeIfAbsent(partition(entry.getKey()), unused -> new WordCounts())
                    .add(entry.getKey(), entry.getValue()));
    Modification.Builder next = Modification.builder().insert(Marker.of(work.task(), ordinal));
    parts.forEach(
        (partition, part) ->
            next.insert(Queues.partial(partition), CountsCodec.encode(partition, part)));
    return Outcome.done(next.build());
  }

  /** The hash of a string is the same on every JVM. */
  private int partition(String word) {
    return Math.floorMod(word.hashCode(), partitions);
  }
}
