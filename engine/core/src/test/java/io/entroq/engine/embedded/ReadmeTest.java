package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import io.entroq.engine.JvmFlags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows compiles, works, and is what stands here. */
class ReadmeTest {

  private static final Path ROOT = Path.of("..", "..");

  @TempDir private Path directory;

  /** Stands in for the class that the example calls by the name of its own directory. */
  private Path data(String name) {
    return directory.resolve(name);
  }

  @Test
  void shouldNameTheFlagsForThoseWhoWantThem() throws IOException {
    assertThat(Files.readString(ROOT.resolve("engine/README.md"))).contains(JvmFlags.line());
  }

  @Test
  void shouldRunTheFirstExample() throws InterruptedException {
    try (EntroQ queue = EmbeddedEntroQ.open(data("data"))) {
      queue.modify(Modification.insert("inbox", "hello")).orThrow();
      Task task = queue.claim(Claim.from("inbox").withLease(Duration.ofSeconds(30)));
      queue
          .modify(Modification.delete(task).and(Modification.insert("done", task.value())))
          .orThrow();
    }
    try (EntroQ queue = EmbeddedEntroQ.open(data("data"))) {
      assertThat(queue.tryClaim(Claim.from("inbox"))).isEmpty();
      assertThat(queue.tryClaim(Claim.from("done")).orElseThrow().value().asText())
          .isEqualTo("hello");
    }
  }

  @Test
  void shouldRunTheWorkerOfTheSecondExample() throws InterruptedException {
    try (EntroQ queue = EmbeddedEntroQ.open(data("worker"))) {
      Worker worker =
          Worker.on(queue)
              .from("inbox")
              .values(ValueCodec.text())
              .concurrency(4)
              .maxAttempts(5)
              .start(
                  work ->
                      Outcome.done(
                          Modification.insert("done", work.value().toUpperCase(Locale.ROOT))));
      queue.modify(Modification.insert("inbox", "hello")).orThrow();
      Task task = queue.claim(Claim.from("done"));
      assertThat(task.value().asText()).isEqualTo("HELLO");
      worker.close();
    }
  }

  @Test
  void shouldKeepTheRulesOfTheThirdExample() {
    try (TestEntroQ queue = TestEntroQ.open()) {
      queue
          .policies()
          .put(QueuePolicy.of("stripe").rate(100, Duration.ofSeconds(1)).inFlight(20).attempts(8));
      for (int i = 0; i < 3; i++) {
        queue.modify(Modification.insert("stripe", "charge")).orThrow();
      }
      assertThat(queue.tryClaim(Claim.from("stripe"))).isPresent();
      assertThat(queue.tryClaim(Claim.from("stripe"))).as("before 10 ms have passed").isEmpty();
      queue.advance(Duration.ofMillis(10));
      assertThat(queue.tryClaim(Claim.from("stripe"))).isPresent();
    }
  }
}
