package io.entroq.server.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that stop and start again under a client. */
@Timeout(60)
class RestartTest {
  @TempDir Path directory;

  private Served served;
  private EntroQ queue;

  @BeforeEach
  void open() throws Exception {
    served = new Served(directory);
    queue = served.connect();
  }

  @AfterEach
  void close() {
    queue.close();
    served.close();
  }

  @Test
  void shouldSendWhatIsAskedMeanwhileWhenTheServerIsBack() throws Exception {
    queue.modify(Modification.insert("inbox", "before")).orThrow();
    served.stop();
    CompletableFuture<ModifyResult> insert =
        queue.modifyAsync(Modification.insert("inbox", "meanwhile"));
    CompletableFuture<Map<String, Long>> sizes = queue.queuesAsync(QueueQuery.all());
    served.start();

    assertThat(insert.get(20, TimeUnit.SECONDS).isCommitted()).isTrue();
    assertThat(sizes.get(20, TimeUnit.SECONDS)).containsOnlyKeys("inbox");
    assertThat(served.engine().queues(QueueQuery.all())).isEqualTo(Map.of("inbox", 2L));
  }

  @Test
  void shouldGoOnWaitingForATask() throws Exception {
    CompletableFuture<List<Task>> claim = queue.claimAsync(Claim.from("inbox"));
    CompletableFuture<List<Task>> bounded =
        queue.claimAsync(Claim.from("nothing").withMaxWait(Duration.ofSeconds(3)));
    assertThat(queue.time()).isNotNull();
    served.drainAndStop();
    served.start();

    queue.modify(Modification.insert("inbox", "x")).orThrow();

    assertThat(claim.get(20, TimeUnit.SECONDS)).hasSize(1);
    assertThat(bounded.get(20, TimeUnit.SECONDS)).isEmpty();
  }

  @Test
  void shouldKeepWorkersAtWork() throws Exception {
    int count = 60;
    for (int i = 0; i < count; i++) {
      queue.modify(Modification.insert(Insert.into("inbox").withId("in " + i))).orThrow();
    }
    CountDownLatch some = new CountDownLatch(20);
    try (Worker worker =
        Worker.on(queue)
            .from("inbox")
            .concurrency(4)
            .lease(Duration.ofMillis(600))
            .start(
                work -> {
                  // Longer than half a lease now and then, so that leases are renewed.
                  Thread.sleep(work.task().id().text().endsWith("7") ? 700 : 5);
                  some.countDown();
                  return Outcome.done(
                      Modification.insert(Insert.into("outbox").withId("out " + work.task().id())));
                })) {
      assertThat(some.await(20, TimeUnit.SECONDS)).isTrue();
      served.stop();
      served.start();
      assertThat(queue.waitQueuesEmpty(QueueQuery.named("inbox"), Duration.ofSeconds(40))).isTrue();
      assertThat(worker.metrics().unknown()).isZero();
    }

    assertThat(served.engine().tasks(TaskQuery.in("outbox")))
        .extracting(Task::id)
        .hasSize(count)
        .doesNotHaveDuplicates()
        .contains(TaskId.of("out in 7"));
  }
}
