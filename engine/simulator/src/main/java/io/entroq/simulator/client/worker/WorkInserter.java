package io.entroq.simulator.client.worker;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Inserts tasks to work on, some at once, at random times. */
final class WorkInserter implements EventQueue.Event {
  private static final int BATCH_MAX = 3;
  private static final int LATER_MS_MAX = 5_000;

  private final WorkerContext ground;
  private final SeededRandom chance;
  private final ProcessLifetime life;
  private final RemoteQueue queue;
  private final boolean mayStall;
  private final boolean mayPoison;
  private long made;
  private boolean isStopped;

  WorkInserter(WorkerContext ground, SeededRandom chance, int client) {
    this.ground = ground;
    this.chance = chance;
    this.life = new ProcessLifetime(ground.agenda);
    this.queue = new RemoteQueue(ground, life, chance, client, Integer.MAX_VALUE);
    this.mayStall = ground.faults.isOn(FaultKind.WORKER_STALLED);
    this.mayPoison = ground.faults.isOn(FaultKind.POISON_TASK);
  }

  void start() {
    life.in(chance.waitNs(ground.config.taskGapNs()), this);
  }

  /** Makes no more. */
  void stop() {
    isStopped = true;
  }

  @Override
  public void happen() {
    if (isStopped) {
      return;
    }
    int batch = 1 + chance.below(BATCH_MAX);
    if (ground.fates.open() + batch <= ground.config.openMax()) {
      insert(batch);
    }
    life.in(chance.waitNs(ground.config.taskGapNs() * (1 + BATCH_MAX) / 2), this);
  }

  private void insert(int batch) {
    List<TaskHistory> fates = new ArrayList<>(batch);
    Modification.Builder modification = Modification.builder();
    for (int i = 0; i < batch; i++) {
      Work work = new Work(made, draw());
      made++;
      fates.add(ground.fates.planned(work, ground.healthyNs()));
      Insert insert = Insert.into(WorkQueues.INBOX).withId(work.id()).withValue(work.value());
      modification.insert(
          chance.oneIn(4)
              ? insert.availableIn(Duration.ofMillis(chance.below(LATER_MS_MAX)))
              : insert);
    }
    life.then(
        queue.modifyAsync(modification.build()),
        (result, failure) -> fates.forEach(fate -> answered(fate, result)));
  }

  private void answered(TaskHistory fate, ModifyResult result) {
    if (result instanceof ModifyResult.Committed) {
      ground.fates.inserted(fate);
    } else {
      ground.fates.unknown(fate);
    }
  }

  private WorkKind draw() {
    WorkKind deed = WorkKind.at(chance.below(WorkKind.totalWeight()));
    boolean isOff =
        (deed == WorkKind.STALLING && !mayStall) || (deed == WorkKind.DEADLY && !mayPoison);
    return isOff ? WorkKind.QUICK : deed;
  }
}
