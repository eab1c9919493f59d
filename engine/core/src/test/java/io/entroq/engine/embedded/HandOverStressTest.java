package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wake-up that was lost would leave everybody asleep for ever. */
class HandOverStressTest {
  @TempDir Path directory;

  @Test
  void shouldWakeTheEngineEachTimeWhenItSleepsAtOnce() throws Exception {
    EmbeddedConfig config = EmbeddedConfig.inMemory().idleYield(Duration.ZERO).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      run(4, 3_000, (caller, turn) -> assertThat(queue.time()).isNotNull());
    }
  }

  @Test
  void shouldWakeTheEngineWhenRequestsComeJustAsItFallsAsleep() throws Exception {
    EmbeddedConfig config = EmbeddedConfig.inMemory().idleYield(Duration.ofNanos(20_000)).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      run(
          2,
          5_000,
          (caller, turn) -> {
            LockSupport.parkNanos(turn % 7 * 5_000L);
            assertThat(queue.time()).isNotNull();
          });
    }
  }

  @Test
  void shouldWakeTheForcingThreadEachTime() throws Exception {
    EmbeddedConfig config =
        EmbeddedConfig.in(directory).durability(Durability.DISK).idleYield(Duration.ZERO).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      run(4, 200, (caller, turn) -> queue.modify(Modification.insert("q", "v")).orThrow());
      assertThat(queue.queues(io.entroq.api.QueueQuery.all())).containsEntry("q", 800L);
    }
  }

  @Test
  void shouldWakeWaitingClaimsEachTime() throws Exception {
    EmbeddedConfig config = EmbeddedConfig.inMemory().idleYield(Duration.ZERO).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      run(
          2,
          2_000,
          (caller, turn) -> {
            // Two threads play ball: each serves to the other and waits for what comes back.
            queue.modify(Modification.insert("to " + (1 - caller), "ball")).orThrow();
            Task ball = queue.claim(Claim.from("to " + caller));
            queue.modify(Modification.delete(ball)).orThrow();
          });
    }
  }

  @Test
  void shouldCompleteEveryFuture() throws Exception {
    EmbeddedConfig config = EmbeddedConfig.inMemory().idleYield(Duration.ZERO).build();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      run(
          4,
          2_000,
          (caller, turn) -> assertThat(queue.timeAsync().get(30, TimeUnit.SECONDS)).isNotNull());
    }
  }

  private interface Turn {
    void take(int caller, int turn) throws Exception;
  }

  private static void run(int callers, int yields, Turn turn) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      List<Future<Void>> ends = new ArrayList<>();
      for (int caller = 0; caller < callers; caller++) {
        ends.add(threads.submit(turns(caller, yields, turn)));
      }
      for (Future<Void> end : ends) {
        end.get(50, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Callable<Void> turns(int caller, int yields, Turn turn) {
    return () -> {
      for (int i = 0; i < yields; i++) {
        turn.take(caller, i);
      }
      return null;
    };
  }
}
