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
 * A worker that is replaced by a new one when it dies or hangs. Run by a thread of its own; closed
 * by any other.
 */
final class ChaosWorker implements Runnable {
  /** Many more hand-outs than chaos ends in failure, with room for kills of the whole process. */
  private static final int CLAIMS_MAX = 100;

  private static final int ATTEMPTS_MAX = 4;
  private static final Backoff RETRIES =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2), 0.2);
  private static final Duration DRAIN = Duration.ofSeconds(5);

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
    for (int life = 1; isCut && !stopping; life++) {
      WorkerLink link = new WorkerLink(queue, name + "." + life);
      Worker worker = start(link);
      current = worker;
      if (stopping) {
        worker.close(DRAIN);
      }
      awaitEnd(worker);
      isCut = link.isCut();
    }
  }

  /** From now on, whoever dies is not replaced. */
  void stop() {
    stopping = true;
  }

  /** Lets the task in work come to its end, and takes no other. After {@link #stop()}. */
  void close() {
    Worker worker = current;
    if (worker != null) {
      worker.close(DRAIN);
    }
  }

  private Worker start(WorkerLink link) {
    return Worker.on(link)
        .from(from)
        .lease(lease)
        .maxAttempts(ATTEMPTS_MAX)
        .maxClaims(CLAIMS_MAX)
        .retryBackoff(RETRIES)
        .listener(WorkerListener.none())
        .threads(loop -> new Thread(loop, link.claimant()))
        .start(new ChaosHandler(work, chaos, counters, lateCommits, link));
  }

  private static void awaitEnd(Worker worker) {
    try {
      worker.join();
    } catch (InterruptedException e) {
      worker.close(DRAIN);
      Thread.currentThread().interrupt();
    }
  }
}
