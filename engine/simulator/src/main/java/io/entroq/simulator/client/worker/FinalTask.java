package io.entroq.simulator.client.worker;

import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Inserts, claims and deletes a task after everything else, to check that this works. */
public final class FinalTask {
  private final ProcessLifetime life;
  private final RemoteQueue queue;
  private final Work work = new Work(Long.MAX_VALUE, WorkKind.QUICK);
  private String met = "not begun";

  FinalTask(WorkerContext context, SeededRandom random, int client) {
    life = new ProcessLifetime(context.events);
    queue = new RemoteQueue(context, life, random, client, Integer.MAX_VALUE);
  }

  /** Inserts the task; the rest follows. */
  public void start() {
    met = "not inserted";
    Insert insert = Insert.into(WorkQueues.LAST).withId(work.id()).withValue(work.value());
    commit(Modification.builder().insert(insert).build(), this::claim);
  }

  private void claim() {
    met = "not claimed";
    then(queue.claimAsync(Claim.from(WorkQueues.LAST)), this::delete);
  }

  private void delete(List<Task> claimed) {
    met = "not deleted";
    commit(Modification.builder().delete(claimed.get(0)).build(), () -> met = "");
  }

  private void commit(Modification modification, Runnable next) {
    then(
        queue.modifyAsync(modification),
        result -> {
          if (!(result instanceof ModifyResult.Committed)) {
            throw broken(result);
          }
          next.run();
        });
  }

  private <T> void then(CompletableFuture<T> future, Consumer<T> next) {
    life.then(
        future,
        (value, failure) -> {
          if (failure != null) {
            throw broken(failure);
          }
          next.accept(value);
        });
  }

  /** Fails unless everything was done. */
  public void requireOver() {
    if (!met.isEmpty()) {
      throw broken("no answer");
    }
  }

  private Violation broken(Object actual) {
    return Invariant.STILL_SERVES.broken("task " + work.id(), "all done", met + ": " + actual);
  }
}
