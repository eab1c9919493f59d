package io.entroq.server.demo.chaos;

import io.entroq.api.EntroQ;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Workers that fail and are replaced. One thread starts and closes the pool. */
public final class WorkerPool implements AutoCloseable {
  private final List<ChaosWorker> workers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ChaosCounters counters = new ChaosCounters();
  private final LateCommits lateCommits;

  /**
   * Starts workers.
   *
   * @param from the queues to claim from
   * @param lease duration of a lease that is not renewed
   * @param number number of workers, at least 1
   */
  public WorkerPool(
      EntroQ queue,
      List<String> from,
      Handler<Value> work,
      Chaos chaos,
      Duration lease,
      int number) {
    lateCommits = new LateCommits(queue, counters);
    for (int i = 1; i <= number; i++) {
      String name = "worker-%d-%s".formatted(i, queue.claimant());
      ChaosWorker worker =
          new ChaosWorker(queue, from, work, chaos, counters, lateCommits, lease, name);
      workers.add(worker);
      threads.add(new Thread(worker, "worker-supervisor-" + i));
    }
    threads.forEach(Thread::start);
  }

  public ChaosCounters counters() {
    return counters;
  }

  /** Waits until every worker has finished its current task. */
  @Override
  public void close() {
    workers.forEach(ChaosWorker::stop);
    workers.forEach(ChaosWorker::close);
    for (Thread thread : threads) {
      join(thread);
    }
    lateCommits.close();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
