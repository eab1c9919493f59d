package io.entroq.simulator.client.worker;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.simulator.virtual.SeededRandom;

/** Looks at what came of a task, and deletes it. */
final class TaskDisposal implements Handling {
  private static final long MILLISECOND = 1_000_000;

  private final WorkerInvariants fates;
  private final SeededRandom chance;

  TaskDisposal(WorkerInvariants fates, SeededRandom chance) {
    this.fates = fates;
    this.chance = chance;
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
      fates.foundDone(task, work);
    } else {
      fates.foundError(task, work);
    }
    return new HandlerRun(chance.between(1, 20) * MILLISECOND, true, Outcome::done, null);
  }

  @Override
  public void committed(Task task, Outcome outcome) {}
}
