package io.entroq.junit;

import static io.entroq.junit.QueueAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Worker;
import io.entroq.api.worker.WorkerListener;
import io.entroq.engine.embedded.TestEntroQ;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the README says is so. */
@ExtendWith(EntroQExtension.class)
class ReadmeTest {

  @Test
  void shouldRetryForAMonth(TestEntroQ queue) throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    Worker.on(queue)
        .from("reminders")
        .maxAttempts(0)
        .listener(WorkerListener.none())
        .retryBackoff(Backoff.constant(Duration.ofDays(1)))
        .start(
            work -> {
              attempts.incrementAndGet();
              throw new IOException("no connection");
            });
    queue.modify(Modification.insert("reminders", "pay")).orThrow();

    queue.runFor(Duration.ofDays(30));

    assertThat(attempts).hasValue(31);
    assertThat(queue, "reminders")
        .containsTaskSatisfying(
            task ->
                assertThat(task)
                    .extracting(Task::attempt, Task::isInFlight)
                    .containsExactly(31, false));
  }
}
