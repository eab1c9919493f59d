package io.entroq.simulator.client.worker;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.virtual.Chance;

/** Work on tasks, whatever it is like. */
final class Labour implements Handling {
  private final Ground ground;
  private final Performer performer;
  private final Stall stall;

  /** Stops the process that works for a while. */
  interface Stall {
    void run();
  }

  Labour(Ground ground, Chance chance, long leaseNs, Stall stall) {
    this.ground = ground;
    this.performer = new Performer(chance, leaseNs);
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
  public Performance begin(Task task, Work work, EntroQ queue) {
    ground.fates.handled(task, work);
    if (work.deed() == Deed.DEADLY) {
      ground.faults.count(FaultKind.POISON_TASK);
      return null;
    }
    if (work.deed() == Deed.STALLING) {
      stall.run();
    }
    Tally tally = ground.fates.tally(work);
    return tally == null ? performer.perform(task, work) : performer.count(work, tally, queue);
  }

  @Override
  public void committed(Task task, Outcome outcome) {
    ground.fates.committed(task, outcome);
  }
}
