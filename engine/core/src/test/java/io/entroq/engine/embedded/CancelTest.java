package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A claim that its caller gives up holds no task. */
class CancelTest {
  private static final Claim CLAIM = Claim.from("q").withLease(Duration.ofHours(1));

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(Durability.class)
  void shouldLockNothingWhenCancelsRaceWithInserts(Durability level) throws Exception {
    int rounds = level == Durability.DISK ? 100 : 1_000;
    try (EmbeddedEntroQ queue = open(level)) {
      for (int i = 0; i < rounds; i++) {
        CompletableFuture<List<Task>> claim = queue.claimAsync(CLAIM);
        CompletableFuture<?> insert = queue.modifyAsync(Modification.insert("q", "task " + i));
        LockSupport.parkNanos(i % 10 * 10_000L);
        boolean cancelled = claim.cancel(false);
        insert.get(30, TimeUnit.SECONDS);

        Task task = cancelled ? queue.tryClaim(CLAIM).orElseThrow() : claim.get().get(0);
        assertThat(task.claims()).isEqualTo(1);
        queue.modify(Modification.delete(task)).orThrow();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void shouldLockNothingWhenInterruptsRaceWithInserts(Durability level) throws Exception {
    int rounds = level == Durability.DISK ? 50 : 300;
    try (EmbeddedEntroQ queue = open(level)) {
      for (int i = 0; i < rounds; i++) {
        FutureTask<Task> call = new FutureTask<>(() -> queue.claim(CLAIM));
        Thread caller = new Thread(call);
        caller.start();
        LockSupport.parkNanos(i % 10 * 20_000L);
        CompletableFuture<?> insert = queue.modifyAsync(Modification.insert("q", "task " + i));
        caller.interrupt();
        insert.get(30, TimeUnit.SECONDS);
        caller.join(30_000);

        Task task = claimed(call) ? call.get() : queue.tryClaim(CLAIM).orElseThrow();
        assertThat(task.claims()).isEqualTo(1);
        queue.modify(Modification.delete(task)).orThrow();
      }
    }
  }

  @Test
  void shouldLockNothingWhenFuturesTimeOut() throws Exception {
    try (EmbeddedEntroQ queue = open(Durability.OS)) {
      for (int i = 0; i < 200; i++) {
        CompletableFuture<List<Task>> claim =
            queue.claimAsync(CLAIM).orTimeout(i % 10 * 50L, TimeUnit.MICROSECONDS);
        queue.modify(Modification.insert("q", "task " + i)).orThrow();

        Task task;
        try {
          task = claim.get(30, TimeUnit.SECONDS).get(0);
        } catch (ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(TimeoutException.class);
          Await.until("the task is back", () -> isAvailable(queue));
          task = queue.tryClaim(CLAIM).orElseThrow();
        }
        assertThat(task.claims()).isEqualTo(1);
        queue.modify(Modification.delete(task)).orThrow();
      }
    }
  }

  @Test
  void shouldKeepTheInterruptWhenTheReplyWasFaster() throws Exception {
    try (EmbeddedEntroQ queue = open(Durability.OS)) {
      queue.modify(Modification.insert("q", "v")).orThrow();
      Thread.currentThread().interrupt();
      try {
        Task task = queue.claim(CLAIM);
        assertThat(task.claims()).isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
      } catch (InterruptedException e) {
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(queue.tryClaim(CLAIM)).isPresent();
      }
    }
  }

  @Test
  void shouldWriteThroughAnInterrupt() {
    try (EmbeddedEntroQ queue = open(Durability.DISK)) {
      Thread.currentThread().interrupt();

      assertThat(queue.modify(Modification.insert("q", "v")).isCommitted()).isTrue();

      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void shouldForgetThousandsOfCancelledClaims() throws Exception {
    try (EmbeddedEntroQ queue = open(Durability.OS)) {
      List<CompletableFuture<List<Task>>> claims = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        claims.add(queue.claimAsync(Claim.from("q", "r" + i)));
      }
      for (CompletableFuture<List<Task>> claim : claims) {
        assertThat(claim.cancel(false)).isTrue();
        assertThatThrownBy(claim::join).isInstanceOf(CancellationException.class);
      }
      assertThat(queue.time()).isNotNull();

      assertThat(queue.engine().store().core().machine().parkedCount()).isZero();
    }
  }

  @Test
  void shouldWakeWaitingClaimsByTheSystemClock() throws Exception {
    try (EmbeddedEntroQ queue = open(Durability.OS)) {
      queue.modify(Modification.insert("q", "v")).orThrow();
      Claim brief = Claim.from("q").withLease(Duration.ofMillis(50));
      Task first = queue.tryClaim(brief).orElseThrow();

      Task second = queue.claim(CLAIM);

      assertThat(second.id()).isEqualTo(first.id());
      assertThat(second.modified()).isAfterOrEqualTo(first.arrivalTime());
      assertThat(queue.claim(CLAIM, Duration.ofMillis(50))).isEmpty();
    }
  }

  private EmbeddedEntroQ open(Durability level) {
    return EmbeddedEntroQ.open(EmbeddedConfig.in(directory).durability(level).build());
  }

  private static boolean isAvailable(EmbeddedEntroQ queue) {
    return queue.tasks(TaskQuery.in("q")).stream()
        .allMatch(task -> task.isAvailableAt(queue.time()));
  }

  private static boolean claimed(FutureTask<Task> call) throws InterruptedException {
    try {
      call.get();
      return true;
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(InterruptedException.class);
      return false;
    }
  }
}
