package io.entroq.server.demo.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.worker.Outcome;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {
  private static final Duration LEASE = Duration.ofMillis(100);
  private static final int TASKS = 40;

  @Test
  void shouldCommitEveryTaskOnceWhenWorkersDie() throws InterruptedException {
    ChaosCounters counters = workThrough(30, 0);
    assertThat(counters.crashes()).isPositive();
    assertThat(counters.hangs()).isZero();
  }

  @Test
  void shouldRefuseEveryLateCommitWhenWorkersHang() throws InterruptedException {
    ChaosCounters counters = workThrough(0, 30);
    assertThat(counters.hangs()).isPositive();
    assertThat(counters.lateCommitsRefused()).isEqualTo(counters.hangs());
  }

  private static ChaosCounters workThrough(double crashPercent, double hangPercent)
      throws InterruptedException {
    try (EntroQ queue = EmbeddedEntroQ.inMemory()) {
      for (int i = 0; i < TASKS; i++) {
        queue.modify(Modification.insert("work", "" + i)).orThrow();
      }
      Chaos chaos = new Chaos(7, crashPercent, hangPercent, t -> Long.parseLong(t.text()));
      WorkerPool pool =
          new WorkerPool(
              queue,
              List.of("work"),
              work ->
                  Outcome.done(
                      Modification.insert(Insert.into("done").withValue(work.task().value()))),
              chaos,
              LEASE,
              2);
      try (pool) {
        queue.waitQueuesEmpty(QueueQuery.named("work"));
      }
      assertThat(queue.tasks(TaskQuery.in("done")))
          .extracting(Task::text)
          .doesNotHaveDuplicates()
          .hasSize(TASKS);
      return pool.counters();
    }
  }
}
