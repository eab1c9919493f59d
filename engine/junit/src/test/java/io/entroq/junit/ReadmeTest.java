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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the README says is so. */
@ExtendWith(EntroQExtension.class)
class ReadmeTest {
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void shouldShowTheExampleThatIsATest() throws IOException {
    String source = Files.readString(Path.of("src/test/java/io/entroq/junit/RemindersTest.java"));
    Matcher blocks = JAVA.matcher(Files.readString(Path.of("README.md")));
    assertThat(blocks.find()).isTrue();
    assertThat(plain(source)).contains(plain(blocks.group(1)));
    assertThat(blocks.find()).isFalse();
  }

  private static String plain(String text) {
    return text.replaceAll("\\s+", "");
  }

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
