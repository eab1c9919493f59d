package io.entroq.examples.retries;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.redrive.Redrive;
import io.entroq.api.redrive.RedriveFilter;
import io.entroq.api.redrive.RedriveResult;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Sends mails, some of them to mailboxes that are full. */
public final class Mails {
  private static final Duration POLL = Duration.ofMillis(20);

  private final Set<String> full = ConcurrentHashMap.newKeySet();

  Mails(String... full) {
    this.full.addAll(Set.of(full));
  }

  /**
   * Sends three mails, prints the one that dies, and sends it once its mailbox has room.
   *
   * @param args the address of a server
   */
  public static void main(String[] args) {
    Mails mails = new Mails("bob");
    try (EntroQ queue = EntroQ.connect(args[0])) {
      setRules(queue);
      for (String to : new String[] {"ann", "bob", "cid"}) {
        queue.modify(Modification.insert("mails", to)).orThrow();
      }
      Worker worker = mails.start(queue);
      awaitEmpty(queue, "mails");
      queue.tasks(TaskQuery.in("mails/err")).forEach(dead -> System.out.println(describe(dead)));
      mails.full.clear();
      System.out.println("returned: " + redrive(queue).moved());
      awaitEmpty(queue, "mails");
      worker.close();
    }
  }

  /** Lets the queue decide, for workers of all languages. */
  static void setRules(EntroQ queue) {
    queue
        .policies()
        .put(
            QueuePolicy.of("mails")
                .retry(Duration.ofSeconds(1), Duration.ofHours(1))
                .attempts(8)
                .lapses(3));
  }

  /** Starts a worker that leaves the decision to the queue. */
  Worker start(EntroQ queue) {
    return Worker.on(queue)
        .from("mails")
        .values(ValueCodec.text())
        .maxAttempts(0)
        .start(work -> handle(work.value()));
  }

  /** Starts a worker that decides itself, for queues without rules. */
  Worker startDeciding(EntroQ queue) {
    Worker worker =
        Worker.on(queue)
            .from("mails")
            .values(ValueCodec.text())
            .maxAttempts(5)
            .retryBackoff(new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(10), 0.2))
            .maxRuntime(Duration.ofMinutes(1))
            .start(work -> handle(work.value()));
    return worker;
  }

  static RedriveResult redrive(EntroQ queue) {
    RedriveResult result =
        Redrive.from("mails/err")
            .where(RedriveFilter.all().err("mailbox is full").newerThan(Duration.ofHours(2)))
            .rate(50)
            .run(queue);
    return result;
  }

  /** Sends one mail; full mailboxes are often emptied soon. */
  Outcome handle(String to) {
    if (full.contains(to)) {
      return Outcome.retry(Duration.ofMillis(10), "the mailbox is full");
    }
    System.out.println("sent to " + to);
    return Outcome.done();
  }

  static String describe(Task dead) {
    return "%s: %s after %d failures in %s"
        .formatted(
            dead.text(), dead.reason().orElseThrow(), dead.attempt(), dead.origin().orElseThrow());
  }

  static void awaitEmpty(EntroQ queue, String name) {
    while (!queue.areQueuesEmpty(QueueQuery.named(name))) {
      LockSupport.parkNanos(POLL.toNanos());
    }
  }
}
