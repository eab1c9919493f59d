package io.entroq.simulator.client.worker;

import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.worker.Lease;
import io.entroq.api.worker.LeaseCall;
import io.entroq.api.worker.Leases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Executes what {@link Leases} decide about the tasks of one process. */
final class LeaseKeeper {
  private final ProcessLifetime life;
  private final RemoteQueue queue;
  private final Leases leases = new Leases();
  private final List<PendingTake> pendingTakes = new ArrayList<>();
  private long armedNs = Long.MAX_VALUE;

  /** A commit that waits for its task. */
  private record PendingTake(Lease lease, Consumer<Optional<Task>> then) {}

  LeaseKeeper(ProcessLifetime life, RemoteQueue queue) {
    this.life = life;
    this.queue = queue;
  }

  Lease hold(Task task, Consumer<String> onLost) {
    Lease lease = leases.hold(task, life.nowNs(), onLost);
    step();
    return lease;
  }

  /** Takes a task out of renewal and passes on its newest version; empty if its lease is lost. */
  void take(Lease lease, Consumer<Optional<Task>> then) {
    pendingTakes.add(new PendingTake(lease, then));
    step();
  }

  void putBack(Lease lease, boolean isInDoubt) {
    leases.putBack(lease, isInDoubt);
    step();
  }

  private void step() {
    Optional<LeaseCall> call = leases.advance(life.nowNs());
    leases.takeNotices().forEach(notice -> life.in(0, notice::run));
    pendingTakes.removeIf(this::isTaken);
    call.ifPresent(this::send);
    arm();
  }

  private boolean isTaken(PendingTake take) {
    boolean isTaken = leases.take(take.lease);
    if (isTaken) {
      Optional<Task> newest = take.lease.taken();
      life.in(0, () -> take.then.accept(newest));
    }
    return isTaken;
  }

  private void arm() {
    long nextNs = life.nowNs() + leases.quietNanos(life.nowNs());
    if (nextNs < armedNs) {
      armedNs = nextNs;
      life.in(nextNs - life.nowNs(), () -> wake(nextNs));
    }
  }

  private void wake(long forNs) {
    if (armedNs == forNs) {
      armedNs = Long.MAX_VALUE;
      step();
    }
  }

  private void send(LeaseCall call) {
    if (call instanceof LeaseCall.Renewal renewal) {
      CompletableFuture<ModifyResult> reply = queue.modifyAsync(renewal.modification());
      life.then(
          reply, (result, failure) -> answered(call, failure, () -> renewed(renewal, result)));
    } else if (call instanceof LeaseCall.LookUp lookUp) {
      CompletableFuture<List<Task>> reply = queue.tasksAsync(lookUp.query());
      life.then(
          reply, (tasks, failure) -> answered(call, failure, () -> leases.lookedUp(lookUp, tasks)));
    }
  }

  private void renewed(LeaseCall.Renewal renewal, ModifyResult result) {
    leases.renewed(renewal, result, life.nowNs());
  }

  private void answered(LeaseCall call, Throwable failure, Runnable answer) {
    if (failure == null) {
      answer.run();
    } else {
      leases.failed(call, failure, life.nowNs());
    }
    step();
  }
}
