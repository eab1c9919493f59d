package io.entroq.api.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Workers under everything that can go wrong at once: nothing is lost, nothing done twice. */
class WorkerHuntTest extends WorkerTestBase {
  private static final int TASKS = 300;

  @Test
  void shouldCommitEachTaskOnceWhateverHappens() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("WorkerHuntTest -Dtest.seed=" + seed);
    Random random = new Random(seed);
    setFault((number, modification) -> trouble(modification, random));
    for (int i = 0; i < TASKS; i++) {
      insert("task " + i);
    }

    for (int i = 0; i < 3; i++) {
      start(
          worker()
              .concurrency(4)
              .maxClaims(0)
              .retryBackoff(Backoff.constant(Duration.ofSeconds(5)))
              .requestBackoff(Backoff.constant(Duration.ofSeconds(1)))
              .claimWithCommit(i > 0),
          WorkerHuntTest::workOrFail);
    }

    Eventually.await(
        "the end of all tasks",
        () -> {
          advance(Duration.ofMillis(random.nextInt(3_000)));
          return queue.queues(QueueQuery.named("inbox")).isEmpty();
        });
    List<String> expected = IntStream.range(0, TASKS).mapToObj(i -> "task " + i).toList();
    assertThat(queue.tasks(TaskQuery.in("outbox")))
        .extracting(Task::text)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private static Outcome workOrFail(WorkContext<Value> work) throws InterruptedException {
    int what = ThreadLocalRandom.current().nextInt(20);
    if (what == 0) {
      throw new IllegalStateException("the handler failed");
    } else if (what < 3) {
      // Long enough for its lease to end now and then.
      Thread.sleep(what == 1 ? 2 : 5);
    }
    return Outcome.done(Modification.insert(Insert.into("outbox").withValue(work.value())));
  }

  /** Sometimes nothing is done, sometimes the reply is lost, with or without it being done. */
  private Optional<CompletableFuture<ModifyResult>> trouble(
      Modification modification, Random random) {
    int what;
    synchronized (random) {
      what = random.nextInt(30);
    }
    return switch (what) {
      case 0 ->
          Optional.of(CompletableFuture.failedFuture(new EntroQException.Unavailable("gone")));
      case 1 ->
          Optional.of(
              CompletableFuture.failedFuture(new EntroQException.ResourceExhausted("full")));
      case 2 -> {
        queue.modifyInEarnest(modification);
        yield lostReply();
      }
      case 3 -> lostReply();
      case 4 -> {
        queue.modifyInEarnest(modification);
        yield Optional.of(
            CompletableFuture.failedFuture(new EntroQException.OutcomeUnknown("reply lost")));
      }
      default -> Optional.empty();
    };
  }

  private static Optional<CompletableFuture<ModifyResult>> lostReply() {
    return Optional.of(
        CompletableFuture.completedFuture(new ModifyResult.OutcomeUnknown("reply lost")));
  }
}
