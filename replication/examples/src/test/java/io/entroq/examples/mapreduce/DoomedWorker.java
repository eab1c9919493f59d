package io.entroq.examples.mapreduce;

import io.entroq.api.EntroQ;
import io.entroq.api.Value;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import io.entroq.api.worker.Worker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A worker process that reports when it holds a task of one stage, then waits to be killed. */
final class DoomedWorker {
  static final String HOLDING = "holding ";

  private DoomedWorker() {}

  /** Takes an address, the lease, and the label of a stage. */
  public static void main(String[] args) throws InterruptedException {
    Duration lease = Duration.parse(args[1]);
    try (EntroQ queue = EntroQ.connect(args[0])) {
      Job job = CountWorker.awaitJob(queue);
      Handler<Value> handler = new StageHandler(job);
      Handler<Value> doomed =
          work ->
              Stage.of(work.task().queue()).label().equals(args[2])
                  ? hold(work)
                  : handler.handle(work);
      try (Worker shared = CountWorker.shared(queue, doomed, lease);
          Worker coordinator = CountWorker.coordinator(queue, job, lease)) {
        shared.join();
        coordinator.join();
      }
    }
  }

  private static Outcome hold(WorkContext<Value> work) throws InterruptedException {
    System.out.println(HOLDING + work.task().id());
    new CountDownLatch(1).await();
    return Outcome.release();
  }
}
