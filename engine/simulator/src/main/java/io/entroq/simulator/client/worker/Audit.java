package io.entroq.simulator.client.worker;

import io.entroq.api.DocQuery;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;

/** Compares the docs that count work with the work, after the end of all work. */
public final class Audit {
  private final WorkerInvariants invariants;
  private final ProcessLifetime life;
  private final RemoteQueue queue;
  private boolean isOver;

  Audit(WorkerContext context, SeededRandom random, int client) {
    invariants = context.invariants;
    life = new ProcessLifetime(context.events);
    queue = new RemoteQueue(context, life, random, client, Integer.MAX_VALUE);
  }

  /** Reads the docs; the rest follows. */
  public void start() {
    life.then(
        queue.docsAsync(DocQuery.in(WorkCounter.NAMESPACE)),
        (docs, failure) -> {
          if (failure == null) {
            invariants.requireCounted(docs);
            isOver = true;
          }
        });
  }

  /** Fails unless the docs were compared. */
  public void requireOver() {
    Invariant.STILL_SERVES.require(isOver, "docs of work", "a listing", "none");
  }
}
