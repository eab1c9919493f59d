package io.entroq.examples.mapreduce;

import io.entroq.api.EntroQ;
import io.entroq.api.Value;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A process that works on a word count until it is killed. Start as many as you like. */
public final class CountWorker {
  private static final long LOOK_MS = 200;

  private CountWorker() {}

  /**
   * Works.
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

  /** Waits until somebody has planned a count. */
  static Job awaitJob(EntroQ queue) throws InterruptedException {
    JobStore store = new JobStore(queue);
    Optional<Job> job = store.job();
    while (job.isEmpty()) {
      Thread.sleep(LOOK_MS);
      job = store.job();
    }
    return job.get();
  }

  /** Starts a worker for the stages that all processes share. */
  static Worker shared(EntroQ queue, Handler<Value> handler, Duration lease) {
    return start(queue, Stage.SHARED.stream().map(Stage::queue).toList(), handler, lease);
  }

  /** Starts a worker for the one task that begins stages. */
  static Worker coordinator(EntroQ queue, Job job, Duration lease) {
    return start(queue, List.of(Stage.COORDINATE.queue()), new Coordination(job), lease);
  }

  /**
   * A count that leaves a chunk out is wrong, so nothing is put aside: what fails is tried until it
   * works, and the count waits.
   *
   * @param lease after which others take over from a process that died
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
