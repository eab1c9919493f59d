package io.entroq.examples.mapreduce;

import io.entroq.api.EntroQ;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import io.entroq.api.worker.Worker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A worker process that says so when it holds a task of one stage, and then waits to be killed. */
final class DoomedWorker {
  static final String HOLDING = "holding ";

  private DoomedWorker() {}

  /** Takes an address, the name of the count, the lease, and the name of a stage. */
  public static void main(String[] args) throws InterruptedException {
    CountQueues queues = new CountQueues(args[1]);
    Duration lease = Duration.parse(args[2]);
    Handler<String> wait = DoomedWorker::hold;
    Handler<String> map = args[3].equals("map") ? wait : new MapHandler(queues);
    Handler<String> reduce = args[3].equals("reduce") ? wait : new ReduceHandler(queues);
    try (EntroQ queue = EntroQ.connect(args[0]);
        Worker plans = CountWorker.start(queue, queues.plan(), new PlanHandler(queues), lease);
        Worker maps = CountWorker.start(queue, queues.map(), map, lease);
        Worker reduces = CountWorker.start(queue, queues.reduce(), reduce, lease)) {
      plans.join();
      maps.join();
      reduces.join();
    }
  }

  private static Outcome hold(WorkContext<String> work) throws InterruptedException {
    System.out.println(HOLDING + work.task().id());
    new CountDownLatch(1).await();
    return Outcome.release();
  }
}
