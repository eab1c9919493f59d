package io.entroq.jdbc;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.worker.Worker;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Kills applications while they take orders, relay them and ship them. */
final class Kills {
  private static final long SEED = Long.getLong("test.seed", 27);

  /** Most time between the first relayed row of a process and its end. */
  private static final int MOST_MICROS = 100_000;

  private final Shop shop;
  private final String url;
  private final Path directory;
  private final Random random = new Random(SEED);

  Kills(String url, Path directory) {
    this.url = url;
    this.directory = directory;
    shop = new Shop(url);
  }

  /** Starts an application and kills it while it works, time after time; then looks at all. */
  void repeat(int times) throws Exception {
    shop.createTables();
    Path log = directory.resolve("shop.log");
    try (ServedEngine served = new ServedEngine(directory.resolve("queue"))) {
      for (int i = 0; i < times; i++) {
        Process process = Shop.start(log, served.address(), url, "run " + i);
        try {
          if (process.inputReader().readLine() == null) {
            throw new AssertionError("it ended by itself: " + Files.readString(log));
          }
          LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(MOST_MICROS)));
        } finally {
          process.destroyForcibly().waitFor();
        }
      }
      finish(served);
    }
  }

  /** What is left is relayed and shipped, and then everything is there once. */
  private void finish(ServedEngine served) throws Exception {
    try (EntroQ queue = EntroQ.connect(served.address());
        Relay relay = shop.relay(queue);
        Worker worker = shop.ship(queue)) {
      until(
          "all is relayed",
          () -> shop.database().<OutboxLag>transact(Shop.OUTBOX::lag).waiting() == 0);
      assertThat(queue.waitQueuesEmpty(QueueQuery.named(Shop.QUEUE), Duration.ofMinutes(1)))
          .isTrue();
      assertThat(relay.status().problem()).isEmpty();
      assertThat(worker.isRunning()).isTrue();
    }
    List<String> orders = numbers("orders");
    assertThat(orders).as("seed %d", SEED).hasSizeGreaterThan(1);
    assertThat(inserted(served.queue())).as("inserted, seed %d", SEED).isEqualTo(orders);
    assertThat(numbers("shipped")).as("shipped, seed %d", SEED).isEqualTo(orders);
  }

  private List<String> numbers(String table) {
    return shop
        .database()
        .transact(
            connection ->
                Sql.list(connection, row -> row.getString(1), "SELECT number FROM " + table))
        .stream()
        .sorted()
        .toList();
  }

  /** The values of all tasks that were ever inserted. */
  private static List<String> inserted(EmbeddedEntroQ queue) throws InterruptedException {
    FeedPosition last = FeedPosition.after(queue.feed().kept().lastSequence());
    FeedQuery query = FeedQuery.after(FeedPosition.after(0)).until(last).withValues().build();
    List<String> values = new ArrayList<>();
    try (FeedIterator feed = Feed.of(queue).iterator(query)) {
      for (Optional<Effect> next = feed.next(); next.isPresent(); next = feed.next()) {
        if (next.get().kind() == EffectKind.INSERTED) {
          values.add(next.get().task().orElseThrow().text());
        }
      }
    }
    return values.stream().sorted().toList();
  }
}
