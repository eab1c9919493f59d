package io.entroq.examples.mapreduce;

import io.entroq.api.EntroQ;
import io.entroq.api.Value;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A process that works on a word count until it is killed. Any number may run. */
public final class CountWorker {
  private static final long POLL_MS = 200;

  private CountWorker() {}

  /**
   * Runs a worker.
   *
   * @param args the address of a server; the lease, {@code PT10S} by default
   */
  public static void main(String[] args) throws InterruptedException {
    Duration lease = Duration.parse(args.length > 1 ? args[1] : "PT10S");
    try (EntroQ queue = EntroQ.connect(args[0])) {
      Job job = awaitJob(queue);
      System.out.println("working on " + job.root() + " as " + queue.claimant());
      try (Worker shared = shared(queue, new StageHandler(job), lease);
          Worker coordinator = coordinator(queue, job, lease)) {
        shared.join();
        coordinator.join();
      }
    }
  }

  /** Waits until a count is planned. */
  static Job awaitJob(EntroQ queue) throws InterruptedException {
    JobStore store = new JobStore(queue);
    Optional<Job> job = store.job();
    while (job.isEmpty()) {
      Thread.sleep(POLL_MS);
      job = store.job();
    }
    return job.get();
  }

  /** Starts a worker for the stages that all processes share. */
  static Worker shared(EntroQ queue, Handler<Value> handler, Duration lease) {
    return start(queue, Stage.SHARED.stream().map(Stage::queue).toList(), handler, lease);
  }

  /** Starts a worker for the coordination task. */
  static Worker coordinator(EntroQ queue, Job job, Duration lease) {
    return start(queue, List.of(Stage.COORDINATE.queue()), new Coordination(job), lease);
  }

  /**
   * A count without all chunks is wrong, so no failure is quarantined: a task is retried until it
   * succeeds, and the count waits.
   *
   * @param lease time after which other workers take over from a dead process
   */
  private static Worker start(
      EntroQ queue, List<String> from, Handler<Value> handler, Duration lease) {
    return Worker.on(queue)
        .from(from)
        .lease(lease)
        .maxClaims(0)
        .retryBackoff(Backoff.constant(Duration.ofSeconds(1)))
        .start(handler);
  }
}
