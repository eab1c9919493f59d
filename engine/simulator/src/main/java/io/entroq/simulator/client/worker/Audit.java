package io.entroq.simulator.client.worker;

import io.entroq.api.DocQuery;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.SeededRandom;

/** Reads the docs in which work was counted when all of it is over, and compares them with it. */
public final class Audit {
  private final WorkerInvariants fates;
  private final ProcessLifetime life;
  private final RemoteQueue queue;
  private boolean isOver;

  Audit(WorkerContext ground, SeededRandom chance, int client) {
    fates = ground.fates;
    life = new ProcessLifetime(ground.agenda);
    queue = new RemoteQueue(ground, life, chance, client, Integer.MAX_VALUE);
  }

  /** Asks for the docs; the rest follows. */
  public void start() {
    life.then(
        queue.docsAsync(DocQuery.in(WorkCounter.NAMESPACE)),
        (docs, failure) -> {
          if (failure == null) {
            fates.requireCounted(docs);
            isOver = true;
          }
        });
  }

  /** Fails if they have not been compared. */
  public void requireOver() {
    Invariant.STILL_SERVES.require(isOver, "docs of work", "a listing", "none");
  }
}
