package io.entroq.examples.pools;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * One tenant sends a thousand tasks, then ten others send one each. The workers take from the
 * tenants in turn, so the ten do not wait for the thousand.
 */
public final class FairTenants {
  private static final String TENANTS = "tenants";

  private FairTenants() {}

  /**
   * Runs the example: prints how many tasks of the large tenant were done before each small one's.
   *
   * @param args the address of a server
   */
  public static void main(String[] args) throws InterruptedException {
    int tasks = 1_000;
    try (EntroQ queue = EntroQ.connect(args[0])) {
      share(queue);
      List<String> small = IntStream.range(0, 10).mapToObj(i -> "small-" + i).toList();
      insert(queue, "large", tasks);
      small.forEach(tenant -> insert(queue, tenant, 1));
      CountDownLatch left = new CountDownLatch(tasks + small.size());
      Consumer<String> work =
          tenant -> {
            left.countDown();
            if (!tenant.equals("large")) {
              System.out.println(
                  tenant + ": done, with " + left.getCount() + " tasks of others left");
            }
          };
      Worker worker = start(queue, work);
      left.await();
      worker.close();
    }
  }

  /** Lets the tenants take turns, and one that pays for it take four at each turn. */
  static void share(EntroQ queue) {
    queue.policies().put(QueuePolicy.of(TENANTS).pool(QueuePolicy.Fairness.LEAST_IN_FLIGHT));
    queue.policies().put(QueuePolicy.of(TENANTS + "/gold").weight(4));
  }

  /** Inserts tasks of a tenant into the queue of its own, such as {@code tenants/large}. */
  static void insert(EntroQ queue, String tenant, int tasks) {
    Insert task = Insert.into(TENANTS).withKey(tenant).withValue(tenant);
    queue.modify(Modification.insert(Collections.nCopies(tasks, task))).orThrow();
  }

  /** A worker that names only the pool. */
  static Worker start(EntroQ queue, Consumer<String> work) {
    return Worker.on(queue)
        .from(TENANTS)
        .values(ValueCodec.text())
        .start(
            context -> {
              work.accept(context.value());
              return Outcome.done();
            });
  }
}
