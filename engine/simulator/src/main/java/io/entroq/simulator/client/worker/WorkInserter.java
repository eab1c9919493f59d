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

/** Inserts batches of tasks at random times. */
final class WorkInserter implements EventQueue.Event {
  private static final int BATCH_MAX = 3;
  private static final int LATER_MS_MAX = 5_000;

  private final WorkerContext context;
  private final SeededRandom random;
  private final ProcessLifetime life;
  private final RemoteQueue queue;
  private final boolean mayStall;
  private final boolean mayPoison;
  private long made;
  private boolean isStopped;

  WorkInserter(WorkerContext context, SeededRandom random, int client) {
    this.context = context;
    this.random = random;
    this.life = new ProcessLifetime(context.events);
    this.queue = new RemoteQueue(context, life, random, client, Integer.MAX_VALUE);
    this.mayStall = context.faults.isOn(FaultKind.WORKER_STALLED);
    this.mayPoison = context.faults.isOn(FaultKind.POISON_TASK);
  }

  void start() {
    life.in(random.waitNs(context.config.taskGapNs()), this);
  }

  /** Inserts no more. */
  void stop() {
    isStopped = true;
  }

  @Override
  public void happen() {
    if (isStopped) {
      return;
    }
    int batch = 1 + random.below(BATCH_MAX);
    if (context.invariants.open() + batch <= context.config.openMax()) {
      insert(batch);
    }
    life.in(random.waitNs(context.config.taskGapNs() * (1 + BATCH_MAX) / 2), this);
  }

  private void insert(int batch) {
    List<TaskHistory> invariants = new ArrayList<>(batch);
    Modification.Builder modification = Modification.builder();
    for (int i = 0; i < batch; i++) {
      Work work = new Work(made, draw());
      made++;
      invariants.add(context.invariants.planned(work, context.healthyNs()));
      Insert insert = Insert.into(WorkQueues.INBOX).withId(work.id()).withValue(work.value());
      modification.insert(
          random.oneIn(4)
              ? insert.availableIn(Duration.ofMillis(random.below(LATER_MS_MAX)))
              : insert);
    }
    life.then(
        queue.modifyAsync(modification.build()),
        (result, failure) -> invariants.forEach(history -> answered(history, result)));
  }

  private void answered(TaskHistory history, ModifyResult result) {
    if (result instanceof ModifyResult.Committed) {
      context.invariants.inserted(history);
    } else {
      context.invariants.unknown(history);
    }
  }

  private WorkKind draw() {
    WorkKind kind = WorkKind.at(random.below(WorkKind.totalWeight()));
    boolean isOff =
        (kind == WorkKind.STALLING && !mayStall) || (kind == WorkKind.DEADLY && !mayPoison);
    return isOff ? WorkKind.QUICK : kind;
  }
}
