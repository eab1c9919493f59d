package io.entroq.simulator.client.worker;

import io.entroq.api.DocQuery;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;

/** Reads the docs in which work was counted when all of it is over, and compares them with it. */
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

  /** Asks for the docs; the rest follows. */
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

  /** Fails if they have not been compared. */
  public void requireOver() {
    Invariant.STILL_SERVES.require(isOver, "docs of work", "a listing", "none");
  }
}
