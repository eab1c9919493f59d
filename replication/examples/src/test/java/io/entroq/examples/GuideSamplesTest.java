package io.entroq.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import io.entroq.examples.testing.Served;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What guides show beside the programs of this module. */
class GuideSamplesTest {
  @TempDir private Path directory;

  private final BlockingQueue<String> posted = new LinkedBlockingQueue<>();
  private Served served;
  private EntroQ queue;

  @BeforeEach
  void serve() throws IOException {
    served = new Served(directory);
    queue = served.connect();
  }

  @AfterEach
  void stop() {
    queue.close();
    served.close();
  }

  @Test
  void shouldInsertATask() {
    try (EntroQ queue = EntroQ.connect(served.address())) {
      queue.modify(Modification.insert("inbox", "hello")).orThrow();
    }
    assertThat(queue.tryClaim(Claim.from("inbox"))).map(Task::text).hasValue("hello");
  }

  @Test
  void shouldShareAQueueAmongTenants() {
    queue.policies().put(QueuePolicy.of("inbox").pool(QueuePolicy.Fairness.LEAST_IN_FLIGHT));
    queue.modify(Modification.insert(Insert.into("inbox").withKey("tenant-42").withValue("...")));

    assertThat(queue.tryClaim(Claim.from("inbox"))).map(Task::queue).hasValue("inbox/tenant-42");
  }

  @Test
  void shouldGiveATenantMoreAndLimitAllOfThem() throws InterruptedException {
    queue.policies().put(QueuePolicy.prefix("inbox/").inFlight(5).rate(10, Duration.ofSeconds(1)));
    queue
        .policies()
        .put(
            QueuePolicy.of("inbox")
                .pool(QueuePolicy.Pool.of(QueuePolicy.Fairness.LEAST_IN_FLIGHT).inFlight(100)));
    insert("silver", 8);
    insert("gold", 8);
    Claim silver = Claim.from("inbox/silver");
    for (int task = 0; task < 5; task++) {
      assertThat(queue.claim(silver).queue()).isEqualTo("inbox/silver");
    }
    assertThat(queue.claim(silver, Duration.ofMillis(500))).as("a sixth in flight").isEmpty();

    queue.policies().put(QueuePolicy.of("inbox/gold").weight(4));
    assertThat(queue.tryClaimMany(Claim.from("inbox/gold").withLimit(10)))
        .as("with a policy of its own")
        .hasSize(8);
  }

  private void insert(String tenant, int tasks) {
    Insert task = Insert.into("inbox").withKey(tenant);
    queue
        .modify(Modification.insert(IntStream.range(0, tasks).mapToObj(i -> task).toList()))
        .orThrow();
  }

  private Outcome post(String account, String entry) {
    posted.add(account + " " + entry);
    return Outcome.done();
  }

  @Test
  void shouldPostInOrder() throws InterruptedException {
    queue.policies().put(QueuePolicy.of("accounts").pool(QueuePolicy.Fairness.ROUND_ROBIN));
    queue
        .policies()
        .put(
            QueuePolicy.prefix("accounts/")
                .order(QueuePolicy.Order.STRICT)
                .retry(Duration.ofSeconds(1), Duration.ofMinutes(10))
                .attempts(8));
    queue.modify(Modification.insert(Insert.into("accounts").withKey("42").withValue("+100")));
    Worker worker =
        Worker.on(queue)
            .from("accounts")
            .values(ValueCodec.text())
            .concurrency(8)
            .start(work -> post(work.task().queue(), work.value()));

    queue.modify(Modification.insert(Insert.into("accounts").withKey("42").withValue("-30")));
    List<String> posts =
        List.of(posted.poll(50, TimeUnit.SECONDS), posted.poll(50, TimeUnit.SECONDS));
    worker.close();
    assertThat(posts).containsExactly("accounts/42 +100", "accounts/42 -30");
  }
}
