package io.entroq.simulator.client.worker;

import io.entroq.api.DocQuery;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.virtual.Chance;

/** Reads the docs in which work was counted when all of it is over, and compares them with it. */
public final class Audit {
  private final Fates fates;
  private final Life life;
  private final RemoteQueue queue;
  private boolean isOver;

  Audit(Ground ground, Chance chance, int client) {
    fates = ground.fates;
    life = new Life(ground.agenda);
    queue = new RemoteQueue(ground, life, chance, client, Integer.MAX_VALUE);
  }

  /** Asks for the docs; the rest follows. */
  public void start() {
    life.then(
        queue.docsAsync(DocQuery.in(Tally.NAMESPACE)),
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
