package io.entroq.examples.trampoline;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.worker.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Sends orders through all steps, with an unreliable bank and one order that costs nothing, and
 * prints how each one ended. If it is killed, the next run continues.
 */
public final class Orders {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private Orders() {}

  /**
   * Runs the example.
   *
   * @param args the address of a server; the number of orders, 20 by default
   */
  public static void main(String[] args) throws InterruptedException {
    int count = args.length > 1 ? Integer.parseInt(args[1]) : 20;
    try (EntroQ queue = EntroQ.connect(args[0])) {
      Map<String, Step> steps = new OrderSteps(Orders::charge).all();
      List<Worker> workers = new ArrayList<>();
      steps.forEach((step, work) -> workers.add(Trampoline.start(queue, step, work, LEASE)));
      for (int number = 0; number < count; number++) {
        Order order = OrderSteps.place(number, number * 10_000);
        queue.modify(Modification.insert(Trampoline.send(order))).orThrow();
      }
      Claim ended = ended(steps.keySet());
      while (!queue.areQueuesEmpty(QueueQuery.startingWith(Trampoline.queueOf("")))) {
        queue.claim(ended, Duration.ofSeconds(1)).ifPresent(task -> printEnd(queue, task));
      }
      workers.forEach(Worker::close);
    }
  }

  /** Claims orders that are done or in quarantine. */
  private static Claim ended(Collection<String> steps) {
    return Claim.from(
        Stream.concat(Stream.of(Trampoline.DONE), steps.stream().map(Trampoline::quarantineOf))
            .toList());
  }

  private static void printEnd(EntroQ queue, Task task) {
    System.out.println(end(task));
    queue.modify(Modification.delete(task)).orThrow();
  }

  private static String end(Task task) {
    String failures = task.err().replace("\n", "; ");
    try {
      Order order = Order.CODEC.decode(task.value());
      return task.queue().equals(Trampoline.DONE)
          ? "order " + order.number() + ": " + String.join(", ", order.taken())
          : "order " + order.number() + ": in quarantine: " + failures;
    } catch (EntroQException.Codec e) {
      // Something other than an order was inserted into the queue of a step.
      return task.value().asText() + ": in " + task.queue() + ": " + failures;
    }
  }

  private static boolean charge(int order, int cents) throws IOException {
    if (ThreadLocalRandom.current().nextInt(4) == 0) {
      throw new IOException("the bank does not answer");
    }
    return order % 7 != 0;
  }
}
