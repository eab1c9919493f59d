package io.entroq.simulator.client.worker;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.simulator.virtual.SeededRandom;

/** Checks the outcome of tasks and deletes them. */
final class TaskDisposal implements Handling {
  private static final long MILLISECOND = 1_000_000;

  private final WorkerInvariants invariants;
  private final SeededRandom random;

  TaskDisposal(WorkerInvariants invariants, SeededRandom random) {
    this.invariants = invariants;
    this.random = random;
  }

  @Override
  public int maxClaims() {
    return 0;
  }

  @Override
  public ValueCodec<Work> codec() {
    return new Work.Codec(true);
  }

  @Override
  public HandlerRun begin(Task task, Work work, EntroQ queue) {
    if (task.queue().equals(WorkQueues.DONE)) {
      invariants.foundDone(task, work);
    } else {
      invariants.foundError(task, work);
    }
    return new HandlerRun(random.between(1, 20) * MILLISECOND, true, Outcome::done, null);
  }

  @Override
  public void committed(Task task, Outcome outcome) {}
}
