package io.entroq.server.demo.chaos;

import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;

/**
 * Does the work, then may make its worker crash or hang before the commit. This is the worst
 * moment: all of the work must be redone. For one worker.
 *
 * <p>Both cut the worker's link, so that it can no longer commit, renew or report a failure, and
 * the lease expires.
 */
final class ChaosHandler implements Handler<Value> {
  private final Handler<Value> work;
  private final Chaos chaos;
  private final ChaosCounters counters;
  private final LateCommits lateCommits;
  private final WorkerLink link;

  ChaosHandler(
      Handler<Value> work,
      Chaos chaos,
      ChaosCounters counters,
      LateCommits lateCommits,
      WorkerLink link) {
    this.work = work;
    this.chaos = chaos;
    this.counters = counters;
    this.lateCommits = lateCommits;
    this.link = link;
  }

  @Override
  public Outcome handle(WorkContext<Value> context) throws Exception {
    Outcome outcome = work.handle(context);
    Fate fate = chaos.fate(context.task());
    if (fate == Fate.CRASH) {
      link.cut();
      counters.crashes.increment();
    } else if (fate == Fate.HANG && outcome instanceof Outcome.Done done) {
      link.cut();
      counters.hangs.increment();
      lateCommits.add(context.task(), commit(context.task(), done));
    }
    return outcome;
  }

  private Modification commit(Task task, Outcome.Done done) {
    return done.rest().and(Modification.delete(task)).withClaimant(link.claimant());
  }
}
