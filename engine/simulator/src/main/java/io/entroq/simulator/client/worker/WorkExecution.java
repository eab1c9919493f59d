package io.entroq.simulator.client.worker;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.virtual.SeededRandom;

/** Works on tasks of all kinds. */
final class WorkExecution implements Handling {
  private final WorkerContext context;
  private final HandlerScript script;
  private final Runnable stall;

  /**
   * @param stall pauses the process
   */
  WorkExecution(WorkerContext context, SeededRandom random, long leaseNs, Runnable stall) {
    this.context = context;
    this.script = new HandlerScript(random, leaseNs);
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
    context.invariants.handled(task, work);
    if (work.kind() == WorkKind.DEADLY) {
      context.faults.count(FaultKind.POISON_TASK);
      return null;
    }
    if (work.kind() == WorkKind.STALLING) {
      stall.run();
    }
    WorkCounter counter = context.invariants.counter(work);
    return counter == null ? script.perform(task, work) : script.count(work, counter, queue);
  }

  @Override
  public void committed(Task task, Outcome outcome) {
    context.invariants.committed(task, outcome);
  }
}
