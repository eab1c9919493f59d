package io.entroq.simulator.client.worker;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.virtual.SeededRandom;

/** Work on tasks, whatever it is like. */
final class WorkExecution implements Handling {
  private final WorkerContext ground;
  private final HandlerScript performer;
  private final Stall stall;

  /** Stops the process that works for a while. */
  interface Stall {
    void run();
  }

  WorkExecution(WorkerContext ground, SeededRandom chance, long leaseNs, Stall stall) {
    this.ground = ground;
    this.performer = new HandlerScript(chance, leaseNs);
    this.stall = stall;
  }

  @Override
  public int maxClaims() {
    return WorkersConfig.MAX_CLAIMS;
  }

  @Override
  public ValueCodec<Work> codec() {
    return new Work.Codec(false);
  }

  @Override
  public HandlerRun begin(Task task, Work work, EntroQ queue) {
    ground.fates.handled(task, work);
    if (work.deed() == WorkKind.DEADLY) {
      ground.faults.count(FaultKind.POISON_TASK);
      return null;
    }
    if (work.deed() == WorkKind.STALLING) {
      stall.run();
    }
    WorkCounter tally = ground.fates.tally(work);
    return tally == null ? performer.perform(task, work) : performer.count(work, tally, queue);
  }

  @Override
  public void committed(Task task, Outcome outcome) {
    ground.fates.committed(task, outcome);
  }
}
