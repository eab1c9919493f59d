package io.entroq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.fake.FakeEntroQ;
import io.entroq.api.feed.FeedSource;
import io.entroq.api.worker.Worker;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.testing.Await;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that connects late. */
class LazyClientTest {
  private final EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
  private final CountDownLatch reachable = new CountDownLatch(1);
  private final AtomicInteger attempts = new AtomicInteger();
  private final LazyClient client = new LazyClient(this::connect);

  private EntroQ connect() {
    attempts.incrementAndGet();
    try {
      reachable.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return queue;
  }

  @AfterEach
  void close() {
    reachable.countDown();
    client.close();
    queue.close();
  }

  @Test
  void shouldConnectOnceForAllCalls() {
    assertThat(attempts).hasValue(0);
    CompletableFuture<?> insert = client.modifyAsync(Modification.insert("inbox", "hello"));
    CompletableFuture<List<Task>> claim = client.claimAsync(Claim.from("inbox"));
    assertThat(insert).isNotDone();
    reachable.countDown();
    assertThat(claim.join()).extracting(Task::text).containsExactly("hello");
    assertThat(client.claimant()).isEqualTo(queue.claimant());
    assertThat(client.hasPolicies()).isTrue();
    assertThat(client.hasPools()).isTrue();
    assertThat(client.extension(FeedSource.class)).containsSame(queue);
    assertThat(attempts).hasValue(1);
  }

  @Test
  void shouldTryAgainWithTheNextCall() {
    AtomicInteger failures = new AtomicInteger();
    try (EmbeddedEntroQ late = EmbeddedEntroQ.inMemory();
        LazyClient failing =
            new LazyClient(
                () -> {
                  if (failures.incrementAndGet() < 3) {
                    throw new EntroQException.Unavailable("away");
                  }
                  return late;
                })) {
      assertThatThrownBy(() -> failing.queues(QueueQuery.all()))
          .isInstanceOf(EntroQException.Unavailable.class)
          .hasMessage("away");
      assertThatThrownBy(failing::claimant).hasMessage("away");
      assertThat(failing.queues(QueueQuery.all())).isEmpty();
    }
  }

  @Test
  void shouldNotConnectToTellWhatNoClientHas() {
    assertThat(client.extension(Worker.Host.class)).isEmpty();
    assertThat(attempts).hasValue(0);
  }

  @Test
  void shouldNotSendAClaimThatWasCancelledBefore() {
    CompletableFuture<List<Task>> claim = client.claimAsync(Claim.from("inbox"));
    claim.cancel(false);
    reachable.countDown();
    client.modify(Modification.insert("inbox", "hello"));
    assertThat(queue.queueStats(QueueQuery.all()).get("inbox").available()).isEqualTo(1);
  }

  @Test
  void shouldCancelAClaimAtTheQueue() {
    FakeEntroQ fake = new FakeEntroQ();
    try (LazyClient ofFake = new LazyClient(() -> fake)) {
      CompletableFuture<List<Task>> claim = ofFake.claimAsync(Claim.from("inbox"));
      Await.until("the claim waits", () -> fake.waiting() == 1);
      claim.cancel(false);
      Await.until("the claim is cancelled", () -> fake.waiting() == 0);
    }
  }

  @Test
  void shouldReleaseTasksOfAClaimThatWasAnsweredWhileItWasCancelled() throws Exception {
    FakeEntroQ fake = new FakeEntroQ();
    // A cancel comes too late for it.
    CompletableFuture<List<Task>> answer =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
          }
        };
    CountDownLatch sent = new CountDownLatch(1);
    fake.setClaimFault(
        claim -> {
          sent.countDown();
          return Optional.of(answer);
        });
    try (LazyClient ofFake = new LazyClient(() -> fake)) {
      CompletableFuture<List<Task>> claim = ofFake.claimAsync(Claim.from("inbox"));
      sent.await();
      fake.modify(Modification.insert("inbox", "hello")).orThrow();
      List<Task> tasks = fake.tryClaimMany(Claim.from("inbox"));
      assertThat(tasks).hasSize(1);
      claim.cancel(false);
      answer.complete(tasks);
      Await.until(
          "the task is available again",
          () -> fake.queueStats(QueueQuery.all()).get("inbox").available() == 1);
    }
  }

  @Test
  void shouldEndCallsThatWaitWhenItIsClosed() throws Exception {
    CompletableFuture<List<Task>> claim = client.claimAsync(Claim.from("inbox"));
    CompletableFuture<Map<String, Long>> read = client.queuesAsync(QueueQuery.all());
    client.close();
    assertThat(claim)
        .failsWithin(60, TimeUnit.SECONDS)
        .withThrowableThat()
        .withCauseInstanceOf(EntroQException.Closed.class);
    assertThat(read)
        .failsWithin(60, TimeUnit.SECONDS)
        .withThrowableThat()
        .withCauseInstanceOf(EntroQException.Closed.class);
    assertThatThrownBy(() -> client.modify(Modification.insert("inbox", "late")))
        .isInstanceOf(EntroQException.Closed.class);
    reachable.countDown();
    // What connects after the close is closed, too.
    Await.until(
        "the queue is closed", () -> catchThrowable(queue::time) instanceof EntroQException.Closed);
  }
}
