package io.entroq.system.load;

import io.entroq.api.Claim;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Deletes all remaining tasks after a trial. One thread. */
public final class Drain {
  private static final int AT_ONCE = 100;
  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final Duration LEASE = Duration.ofSeconds(10);

  /** All queues of a trial. */
  public static final List<String> QUEUES =
      Stream.concat(Worker.QUEUES.stream(), Stream.of(Worker.RACE_QUEUE)).toList();

  private Drain() {}

  /**
   * Claims and deletes until the queues are empty.
   *
   * @param bound how long that may take
   * @return whether the queues are empty
   */
  public static boolean run(Caller caller, Duration bound) throws InterruptedException {
    long endNs = System.nanoTime() + bound.toNanos();
    while (System.nanoTime() - endNs < 0) {
      Claim claim = Claim.from(QUEUES).withLimit(AT_ONCE).withMaxWait(WAIT);
      List<Task> tasks = caller.claim(claim.withLease(LEASE));
      if (!tasks.isEmpty()) {
        PlannedModify plan = new PlannedModify();
        tasks.forEach(plan::delete);
        caller.modify(plan);
      } else if (caller.audit(QUEUES).equals(Optional.of(List.of()))) {
        return true;
      }
    }
    return false;
  }
}
