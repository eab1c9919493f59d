package io.entroq.sinks;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** Inserts, claims, moves and deletes tasks of three queues. For one thread. */
final class Work {
  static final String PREFIX = "queue/";
  private static final int QUEUES = 3;
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final EntroQ queue;
  private final Random random = new Random(26);

  Work(EntroQ queue) {
    this.queue = queue;
  }

  Work some(int count) {
    for (int i = 0; i < count; i++) {
      once(i);
    }
    return this;
  }

  private void once(int number) {
    Optional<Task> task = queue.tryClaim(Claim.from(anyName()).withLease(LEASE));
    if (task.isEmpty() || random.nextInt(3) == 0) {
      // Two tasks in one step.
      queue.modify(Modification.builder().insert(any(number)).insert(any(number)).build());
    } else if (random.nextBoolean()) {
      queue.modify(Modification.delete(task.get())).orThrow();
    } else {
      queue.modify(Modification.change(Change.of(task.get()).moveTo(anyName()))).orThrow();
    }
  }

  private String anyName() {
    return PREFIX + random.nextInt(QUEUES);
  }

  private Insert any(int number) {
    byte[] bytes = ("bytes " + number).getBytes(StandardCharsets.UTF_8);
    return Insert.into(anyName())
        .withValue(random.nextBoolean() ? Value.text("text " + number) : Value.bytes(bytes));
  }

  /** Inserts a last task, so that its effect tells that all before it are there. */
  void end(String id) {
    queue.modify(Modification.insert(Insert.into(PREFIX + "end").withId(id))).orThrow();
  }
}
