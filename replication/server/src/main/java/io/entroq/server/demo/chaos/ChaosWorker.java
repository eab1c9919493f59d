package io.entroq.server.demo.chaos;

import io.entroq.api.EntroQ;
import io.entroq.api.Value;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Worker;
import io.entroq.api.worker.WorkerListener;
import java.time.Duration;
import java.util.List;

/**
 * Replaces its worker with a new one when it crashes or hangs. Runs on its own thread; any other
 * thread may close it.
 */
final class ChaosWorker implements Runnable {
  /** Well above the claims that chaos can fail, to allow for kills of the whole process. */
  private static final int CLAIMS_MAX = 100;

  private static final int ATTEMPTS_MAX = 4;
  private static final Backoff RETRY_BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2), 0.2);
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);

  private final EntroQ queue;
  private final List<String> from;
  private final Handler<Value> work;
  private final Chaos chaos;
  private final ChaosCounters counters;
  private final LateCommits lateCommits;
  private final Duration lease;
  private final String name;
  private volatile Worker current;
  private volatile boolean stopping;

  ChaosWorker(
      EntroQ queue,
      List<String> from,
      Handler<Value> work,
      Chaos chaos,
      ChaosCounters counters,
      LateCommits lateCommits,
      Duration lease,
      String name) {
    this.queue = queue;
    this.from = from;
    this.work = work;
    this.chaos = chaos;
    this.counters = counters;
    this.lateCommits = lateCommits;
    this.lease = lease;
    this.name = name;
  }

  @Override
  public void run() {
    boolean isCut = true;
    for (int generation = 1; isCut && !stopping; generation++) {
      WorkerLink link = new WorkerLink(queue, name + "." + generation);
      Worker worker = start(link);
      current = worker;
      if (stopping) {
        worker.close(DRAIN_TIMEOUT);
      }
      awaitEnd(worker);
      isCut = link.isCut();
    }
  }

  /** From now on, a failed worker is not replaced. */
  void stop() {
    stopping = true;
  }

  /** Finishes the current task and claims no other. Call {@link #stop()} first. */
  void close() {
    Worker worker = current;
    if (worker != null) {
      worker.close(DRAIN_TIMEOUT);
    }
  }

  private Worker start(WorkerLink link) {
    return Worker.on(link)
        .from(from)
        .lease(lease)
        .maxAttempts(ATTEMPTS_MAX)
        .maxClaims(CLAIMS_MAX)
        .retryBackoff(RETRY_BACKOFF)
        .listener(WorkerListener.none())
        .threads(loop -> new Thread(loop, link.claimant()))
        .start(new ChaosHandler(work, chaos, counters, lateCommits, link));
  }

  private static void awaitEnd(Worker worker) {
    try {
      worker.join();
    } catch (InterruptedException e) {
      worker.close(DRAIN_TIMEOUT);
      Thread.currentThread().interrupt();
    }
  }
}
