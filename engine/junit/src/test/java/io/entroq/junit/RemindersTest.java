package io.entroq.junit;

import static io.entroq.junit.QueueAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import io.entroq.engine.embedded.TestEntroQ;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The example of the README. */
@ExtendWith(EntroQExtension.class)
class RemindersTest {
  @Test
  void shouldRemindAfterAMonthInSpiteOfFailures(TestEntroQ queue) throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    Worker.on(queue)
        .from("reminders")
        .values(ValueCodec.text())
        .start(
            work -> {
              if (attempts.incrementAndGet() < 3) {
                throw new IOException("no connection");
              }
              return Outcome.done(Modification.insert("sent", work.value()));
            });
    Insert reminder = Insert.into("reminders").withValue("pay").availableIn(Duration.ofDays(30));
    queue.modify(Modification.insert(reminder)).orThrow();

    queue.advance(Duration.ofDays(30));
    queue.awaitIdle();
    assertThat(queue, "reminders")
        .containsTaskSatisfying(task -> assertThat(task.attempt()).isEqualTo(1));

    queue.runFor(Duration.ofHours(1));
    assertThat(queue, "reminders").isEmpty();
    assertThat(queue, "sent").hasValues("pay");
  }
}
