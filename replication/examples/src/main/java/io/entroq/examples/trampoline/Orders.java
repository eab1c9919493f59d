package io.entroq.examples.trampoline;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.worker.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sends some orders through all steps, with a bank that is down now and then and one order that
 * costs nothing, and prints how each of them ended. When it is killed, the next run goes on.
 */
public final class Orders {
  private static final Duration LEASE = Duration.ofSeconds(10);

  /** For orders that have come to an end, good or bad. */
  private static final Claim ENDED =
      Claim.from(Trampoline.DONE, Trampoline.quarantineOf("check"), Trampoline.quarantineOf("pay"));

  private Orders() {}

  /**
   * Runs it.
   *
   * @param args the address of a server; how many orders, 20 if it is not given
   */
  public static void main(String[] args) throws InterruptedException {
    int count = args.length > 1 ? Integer.parseInt(args[1]) : 20;
    try (EntroQ queue = EntroQ.connect(args[0])) {
      List<Worker> workers = new ArrayList<>();
      new OrderSteps(Orders::charge)
          .all()
          .forEach((step, work) -> workers.add(Trampoline.start(queue, step, work, LEASE)));
      for (int number = 0; number < count; number++) {
        Order order = OrderSteps.place(number, number * 10_000);
        queue.modify(Modification.insert(Trampoline.send(order))).orThrow();
      }
      while (!queue.areQueuesEmpty(QueueQuery.startingWith(Trampoline.queueOf("")))) {
        queue.claim(ENDED, Duration.ofSeconds(1)).ifPresent(task -> printEnd(queue, task));
      }
      workers.forEach(Worker::close);
    }
  }

  private static void printEnd(EntroQ queue, Task task) {
    Order order = Order.CODEC.decode(task.value());
    String end =
        task.queue().equals(Trampoline.DONE)
            ? String.join(", ", order.taken())
            : "in quarantine: " + task.err().replace("\n", "; ");
    System.out.println("order " + order.number() + ": " + end);
    queue.modify(Modification.delete(task)).orThrow();
  }

  private static boolean charge(int order, int cents) throws IOException {
    if (ThreadLocalRandom.current().nextInt(4) == 0) {
      throw new IOException("the bank does not answer");
    }
    return order % 7 != 0;
  }
}
