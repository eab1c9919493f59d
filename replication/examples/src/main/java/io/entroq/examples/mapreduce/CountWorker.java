package io.entroq.examples.mapreduce;

import io.entroq.api.EntroQ;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Worker;
import java.time.Duration;

/** A process that works on a count until it is killed. Start as many as you like, anywhere. */
public final class CountWorker {
  private CountWorker() {}

  /**
   * Works.
   *
   * @param args the address of a server; the name of the count; the lease, {@code PT10S} if it is
   *     not given
   */
  public static void main(String[] args) throws InterruptedException {
    CountQueues queues = new CountQueues(args[1]);
    Duration lease = Duration.parse(args.length > 2 ? args[2] : "PT10S");
    try (EntroQ queue = EntroQ.connect(args[0]);
        Worker plan = start(queue, queues.plan(), new PlanHandler(queues), lease);
        Worker map = start(queue, queues.map(), new MapHandler(queues), lease);
        Worker reduce = start(queue, queues.reduce(), new ReduceHandler(queues), lease)) {
      System.out.println("working on " + args[1] + " as " + queue.claimant());
      plan.join();
      map.join();
      reduce.join();
    }
  }

  /**
   * Starts a worker for a stage. A count that leaves a piece out is wrong, so nothing is ever put
   * aside: what fails is tried until it works, and the count waits.
   *
   * @param lease after which others take over from a process that died
   */
  static Worker start(EntroQ queue, String from, Handler<String> handler, Duration lease) {
    return Worker.on(queue)
        .from(from)
        .values(ValueCodec.text())
        .lease(lease)
        .maxClaims(0)
        .retryBackoff(Backoff.constant(Duration.ofSeconds(1)))
        .start(handler);
  }
}
