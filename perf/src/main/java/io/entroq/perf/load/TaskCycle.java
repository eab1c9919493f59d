package io.entroq.perf.load;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;

/**
 * One task claimed, deleted, and replaced by a new one in the same queue, so that as many tasks
 * wait afterwards as before. For one thread.
 */
public final class TaskCycle {
  private final EntroQ queue;
  private long claimNs;
  private long replaceNs;

  /** Of tasks of this queue. */
  public TaskCycle(EntroQ queue) {
    this.queue = queue;
  }

  /**
   * Does one.
   *
   * @param claim for one task that is there
   */
  public void run(Claim claim) {
    long startNs = System.nanoTime();
    Task task = queue.tryClaim(claim).orElseThrow();
    long claimedNs = System.nanoTime();
    queue
        .modify(
            Modification.builder()
                .delete(task)
                .insert(Insert.into(task.queue()).withValue(task.value()))
                .build())
        .orThrow();
    claimNs = claimedNs - startNs;
    replaceNs = System.nanoTime() - claimedNs;
  }

  /** How long the claim of the last one took, nanoseconds. */
  public long claimNs() {
    return claimNs;
  }

  /** How long deleting and inserting took, nanoseconds. */
  public long replaceNs() {
    return replaceNs;
  }
}
