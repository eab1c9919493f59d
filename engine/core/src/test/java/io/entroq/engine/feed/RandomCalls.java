package io.entroq.engine.feed;

import io.entroq.api.Claim;
import io.entroq.api.DocInsert;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.api.Value;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Changes tasks, docs and policies of a few queues, one call after the other. */
final class RandomCalls {
  private static final int QUEUES = 5;

  private final EntroQ queue;
  private final Random random;
  private final Set<Policies.Target> ruled = new HashSet<>();
  private int docs;

  RandomCalls(EntroQ queue, long seed) {
    this(queue, seed, 0);
  }

  /**
   * @param docs there may be so many docs already
   */
  RandomCalls(EntroQ queue, long seed, int docs) {
    this.queue = queue;
    this.docs = docs;
    this.random = new Random(seed);
  }

  void run(int calls) {
    for (int i = 0; i < calls; i++) {
      one();
    }
  }

  private void one() {
    switch (random.nextInt(10)) {
      case 0 -> doc();
      case 1 -> policy();
      case 2, 3, 4, 5 -> claim();
      default -> insert();
    }
  }

  private String name() {
    return "q" + random.nextInt(QUEUES);
  }

  private void insert() {
    Modification.Builder inserts = Modification.builder();
    for (int i = random.nextInt(3); i >= 0; i--) {
      inserts.insert(name(), Value.bytes(new byte[random.nextInt(200)]));
    }
    queue.modify(inserts.build()).orThrow();
  }

  private void claim() {
    Optional<Task> claimed = queue.tryClaim(Claim.from(name()));
    if (claimed.isEmpty()) {
      return;
    }
    Task task = claimed.get();
    switch (random.nextInt(4)) {
      case 0 -> queue.modify(Modification.fail(task, "failed")).orThrow();
      case 1 -> queue.modify(Modification.renew(task, Duration.ofMinutes(5))).orThrow();
      case 2 -> queue.modify(Modification.release(task)).orThrow();
      default -> queue.modify(Modification.delete(task)).orThrow();
    }
  }

  private void doc() {
    docs++;
    DocInsert doc =
        DocInsert.into("letters", "key" + random.nextInt(20))
            .withSecondaryKey("" + docs)
            .withValue("dear");
    queue.modify(Modification.builder().insertDoc(doc).build()).orThrow();
  }

  private void policy() {
    QueuePolicy policy = QueuePolicy.of(name()).attempts(1 + random.nextInt(5)).deadQueue("dead");
    if (!ruled.add(policy.target())) {
      ruled.remove(policy.target());
      queue.policies().delete(policy.target());
    } else {
      queue.policies().put(policy);
    }
  }
}
