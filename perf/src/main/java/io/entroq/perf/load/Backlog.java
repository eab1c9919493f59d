package io.entroq.perf.load;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Value;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/** Tasks that wait to be claimed, put in by the thousand through the public interface. */
public final class Backlog {
  /** How many tasks are inserted by one command. */
  public static final int BATCH = 1_000;

  private final EntroQ queue;
  private final LongFunction<String> queueOf;
  private final Value value;
  private long tasks;

  /**
   * Nothing yet.
   *
   * @param queueOf the name of the queue that the n-th task goes to, from 0
   * @param valueBytes how long its value is
   */
  public Backlog(EntroQ queue, LongFunction<String> queueOf, int valueBytes) {
    this.queue = queue;
    this.queueOf = queueOf;
    this.value = Values.random(new SplittableRandom(valueBytes), valueBytes);
  }

  /** Nothing yet, all to go to one queue. */
  public Backlog(EntroQ queue, String name, int valueBytes) {
    this(queue, n -> name, valueBytes);
  }

  /** Inserts until there are so many. */
  public void growTo(long count) {
    while (tasks < count) {
      insert((int) Math.min(BATCH, count - tasks));
    }
  }

  private void insert(int count) {
    Modification.Builder batch = Modification.builder();
    for (int i = 0; i < count; i++) {
      batch.insert(Insert.into(queueOf.apply(tasks + i)).withValue(value));
    }
    queue.modify(batch.build()).orThrow();
    tasks += count;
  }
}
