package io.entroq.server.demo.chaos;

import io.entroq.api.EntroQ;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Workers that fail and are replaced. Started and closed by one thread. */
public final class WorkerPool implements AutoCloseable {
  private final List<ChaosWorker> workers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ChaosCounters counters = new ChaosCounters();
  private final LateCommits lateCommits;

  /**
   * Starts workers.
   *
   * @param from the queues they work on
   * @param work what they do
   * @param chaos what befalls them
   * @param lease how long a task is theirs without a word from them
   * @param number how many of them there are
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
      threads.add(new Thread(worker, "keeper-" + i));
    }
    threads.forEach(Thread::start);
  }

  /** What befell them so far. */
  public ChaosCounters counters() {
    return counters;
  }

  /** Lets every worker end the task it has, and waits for them. */
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
