package io.entroq.simulator.client.worker;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.worker.Lease;
import io.entroq.api.worker.WorkerBuilder;
import io.entroq.api.worker.WorkerStep;
import io.entroq.api.worker.WorkerSteps;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;

/** Executes what {@link WorkerSteps} decide about one task after another. */
final class Slot {
  private final WorkerProcess process;
  private final ProcessLifetime life;
  private final RemoteQueue queue;
  private final LeaseKeeper leases;
  private final WorkerObserver observer;
  private final WorkerSteps<Work> steps;

  private RemoteQueue.WaitingClaim claim;
  private Task task;
  private Lease lease;

  /** The current run of the handler; null if there is none. */
  private HandlerRun running;

  private int runs;

  private long steppedNs;
  private boolean isEnded;

  Slot(WorkerProcess process, WorkerBuilder<Work> builder, DoubleSupplier random) {
    this.process = process;
    this.life = process.life();
    this.queue = process.queue();
    this.leases = process.leases();
    this.observer = new WorkerObserver(queue, process.handling(), process.lease());
    this.steps = builder.listener(observer).steps(random);
  }

  void start() {
    perform(steps.begin());
  }

  /** Claims no more; the current task is finished. */
  void stop() {
    steps.stop();
    if (claim != null) {
      claim.cancel(false);
    }
  }

  boolean isEnded() {
    return isEnded;
  }

  /** The time of the last step. */
  long steppedNs() {
    return claim == null ? steppedNs : Math.max(steppedNs, claim.sentNs());
  }

  private void perform(WorkerStep step) {
    steppedNs = life.nowNs();
    if (step instanceof WorkerStep.ClaimTask ask) {
      claim(ask.claim());
    } else if (step instanceof WorkerStep.HoldLease hold) {
      hold(hold.task());
    } else if (step instanceof WorkerStep.Handle) {
      handle();
    } else if (step instanceof WorkerStep.TakeLease) {
      take();
    } else if (step instanceof WorkerStep.Commit commit) {
      commit(commit.modification());
    } else if (step instanceof WorkerStep.Release release) {
      release(release.modification());
    } else if (step instanceof WorkerStep.Pause pause) {
      pause(pause.length());
    } else if (step instanceof WorkerStep.PutBack putBack) {
      putBack(putBack);
    } else {
      isEnded = true;
      process.onSlotEnded();
    }
  }

  private void claim(Claim request) {
    observer.ended();
    lease = null;
    claim = queue.claimAsync(request);
    life.then(
        claim,
        (tasks, failure) -> {
          boolean isCancelled = claim.isCancelled();
          claim = null;
          perform(
              failure == null || isCancelled
                  ? steps.claimed(isCancelled ? List.of() : tasks)
                  : steps.failed(failure));
        });
  }

  private void hold(Task claimed) {
    task = claimed;
    observer.held(task);
    lease = leases.hold(task, this::onLost);
    perform(steps.held());
  }

  private void onLost(String reason) {
    observer.lost(reason);
    if (running != null && running.stopsWhenLost()) {
      end(runs);
    }
  }

  private void handle() {
    HandlerRun handlerRun = process.handling().begin(task, steps.value(), queue);
    if (handlerRun == null) {
      process.die();
      return;
    }
    running = handlerRun;
    runs++;
    int run = runs;
    life.in(handlerRun.lastsNs(), () -> end(run));
  }

  private void end(int run) {
    if (running != null && run == runs) {
      HandlerRun handlerRun = running;
      running = null;
      perform(
          handlerRun.failure() == null
              ? steps.handled(handlerRun.outcome().get(), observer.isLost())
              : steps.threw(handlerRun.failure(), observer.isLost()));
    }
  }

  private void take() {
    leases.take(
        lease,
        newest -> {
          observer.taken(newest);
          perform(steps.taken(newest));
        });
  }

  private void commit(Modification modification) {
    observer.committing(modification);
    life.then(
        queue.modifyAsync(modification),
        (result, failure) -> {
          if (failure == null) {
            answered(result);
          } else {
            notAnswered((RuntimeException) failure);
          }
        });
  }

  private void answered(ModifyResult result) {
    WorkerStep next = steps.answered(result);
    observer.answered(result, next);
    perform(next);
  }

  private void notAnswered(RuntimeException failure) {
    WorkerStep next = steps.notAnswered(failure);
    observer.notAnswered(failure, next);
    perform(next);
  }

  private void release(Modification modification) {
    life.then(
        queue.modifyAsync(modification),
        (result, failure) ->
            perform(
                failure == null
                    ? steps.released(result)
                    : steps.notReleased((RuntimeException) failure)));
  }

  private void putBack(WorkerStep.PutBack step) {
    leases.putBack(lease, step.isInDoubt());
    pause(step.pause());
  }

  private void pause(Duration length) {
    life.in(length.toNanos(), () -> perform(steps.paused()));
  }

  @Override
  public String toString() {
    return "slot of " + queue.claimant() + (task == null ? "" : ", last with task " + task.id());
  }
}
