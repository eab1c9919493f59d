package io.entroq.sinks;

import static io.entroq.service.testing.Await.until;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Prints how fast sinks catch up. */
@Tag("long")
@Timeout(900)
class SinkRateIT {
  private static final int STEPS = 1_000;
  private static final int TASKS = 100;
  private static final int EFFECTS = 2 * STEPS * TASKS;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @TempDir private Path directory;

  /** Tasks with 100 bytes of JSON are inserted and deleted, a hundred a step. */
  private static void fill(ServedEngine served) {
    for (int i = 0; i < STEPS; i++) {
      Modification.Builder inserts = Modification.builder();
      for (int j = 0; j < TASKS; j++) {
        inserts.insert(Insert.into("inbox").withValue("x".repeat(100)));
      }
      List<Task> tasks = served.queue().modify(inserts.build()).orThrow().inserted();
      Modification.Builder deletes = Modification.builder();
      tasks.forEach(deletes::delete);
      served.queue().modify(deletes.build()).orThrow();
    }
  }

  private void measure(String what, FeedSink sink) throws Exception {
    try (ServedEngine served = new ServedEngine(directory.resolve(what))) {
      fill(served);
      long startNs = System.nanoTime();
      try (Running running = new Running(new SinkRunner(served.queue(), JdbcSinkTests.ALL, sink))) {
        until(
            "all is copied",
            PATIENCE,
            () -> running.isOver() || running.runner().progress().effects() >= EFFECTS);
        double seconds = (System.nanoTime() - startNs) / 1e9;
        System.out.printf(
            Locale.ROOT,
            "%s: %,d effects in %,d batches, %,.0f effects/s%n",
            what,
            EFFECTS,
            running.runner().progress().batches(),
            EFFECTS / seconds);
      }
    }
  }

  @Test
  void shouldCopyToPostgres() throws Exception {
    try (TestPostgres postgres = TestPostgres.start(directory.resolve("postgres"))) {
      measure("PostgreSQL, effects", JdbcSink.ofEffects(postgres::connect, "effects"));
      measure("PostgreSQL, tasks", JdbcSink.ofTasks(postgres::connect, "tasks"));
      measure("PostgreSQL, both", JdbcSink.ofBoth(postgres::connect, "everything"));
    }
  }

  @Test
  void shouldCopyToKafka() throws Exception {
    try (TestKafka kafka = new TestKafka(directory.resolve("kafka")).start()) {
      kafka.create("effects", 3);
      measure("Kafka", new KafkaSink(kafka.clientSettings(), "effects"));
    }
  }

  @Test
  void shouldCopyToAFile() throws Exception {
    measure("file", new JsonLinesSink(directory.resolve("effects.jsonl")));
  }
}
