package io.entroq.perf.engine;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** Claims a task and puts another in its place, again and again, and notes how long claims take. */
final class ClaimCycle {
  private static final int PER_MODIFY = 1_000;

  private final EntroQ queue;
  private final String name;
  private final Value value;
  private final long intervalNs;
  private final Claim claim;

  /**
   * @param perSecond how many cycles to begin in a second; 0: each right after the one before
   */
  ClaimCycle(EntroQ queue, String name, int valueBytes, int perSecond) {
    this.queue = queue;
    this.name = name;
    this.value = Value.bytes(new byte[valueBytes]);
    this.intervalNs = perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / perSecond;
    this.claim = Claim.from(name);
  }

  void fill(long tasks) {
    for (long left = tasks; left > 0; left -= PER_MODIFY) {
      Modification.Builder some = Modification.builder();
      for (int i = 0; i < Math.min(left, PER_MODIFY); i++) {
        some.insert(Insert.into(name).withValue(value));
      }
      queue.modify(some.build()).orThrow();
    }
  }

  /** Works for a while; with a rate, a claim's time runs from when it was due. */
  void run(long nanos, Histogram claims) {
    long start = System.nanoTime();
    long due = start;
    while (due - start < nanos) {
      if (intervalNs > 0) {
        awaitTime(due);
      } else {
        due = System.nanoTime();
      }
      Task task = queue.tryClaim(claim).orElseThrow();
      claims.recordValue(System.nanoTime() - due);
      queue.modify(Modification.delete(task).and(Modification.insert(name, value))).orThrow();
      due += intervalNs;
    }
  }

  private static void awaitTime(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
