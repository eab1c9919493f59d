package io.entroq.examples.pools;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Posts to accounts: those of one account one after the other, in the order in which they were
 * inserted; those of different accounts at the same time. A post that fails is tried again before
 * the next of its account. Other accounts do not wait for it.
 */
public final class OrderedAccounts {
  private static final String ACCOUNTS = "accounts";

  private OrderedAccounts() {}

  /** What is done with a post. */
  interface Ledger {
    /** Does it, or throws if it must be tried again. */
    void post(String account, String entry) throws IOException;
  }

  /**
   * Runs the example, with a ledger that often fails.
   *
   * @param args the address of a server
   */
  public static void main(String[] args) throws InterruptedException {
    int accounts = 4;
    int posts = 5;
    CountDownLatch left = new CountDownLatch(accounts * posts);
    Ledger ledger =
        (account, entry) -> {
          if (ThreadLocalRandom.current().nextInt(4) == 0) {
            throw new IOException("the ledger does not answer");
          }
          System.out.println(account + ": " + entry);
          left.countDown();
        };
    try (EntroQ queue = EntroQ.connect(args[0])) {
      order(queue);
      for (int post = 0; post < posts; post++) {
        for (int account = 0; account < accounts; account++) {
          insert(queue, "account-" + account, "post " + post);
        }
      }
      Worker worker = start(queue, ledger);
      left.await();
      worker.close();
    }
  }

  /** Lets each account work on one task at a time, in order, and the accounts take turns. */
  static void order(EntroQ queue) {
    queue.policies().put(QueuePolicy.of(ACCOUNTS).pool(QueuePolicy.Fairness.ROUND_ROBIN));
    queue
        .policies()
        .put(
            QueuePolicy.prefix(ACCOUNTS + "/")
                .order(QueuePolicy.Order.STRICT)
                .retry(Duration.ofMillis(100), Duration.ofMinutes(1))
                .attempts(8));
  }

  static void insert(EntroQ queue, String account, String entry) {
    queue
        .modify(Modification.insert(Insert.into(ACCOUNTS).withKey(account).withValue(entry)))
        .orThrow();
  }

  static Worker start(EntroQ queue, Ledger ledger) {
    return Worker.on(queue)
        .from(ACCOUNTS)
        .values(ValueCodec.text())
        .concurrency(8)
        .start(
            context -> {
              String account = context.task().queue().substring(ACCOUNTS.length() + 1);
              ledger.post(account, context.value());
              return Outcome.done();
            });
  }
}
