package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.engine.time.SlewedClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wall clock that jumps neither ends leases nor keeps them from ending. */
class ClockJumpTest {
  @TempDir Path directory;

  private final AtomicLong jumpMs = new AtomicLong();
  private final AtomicInteger warnings = new AtomicInteger();
  private final SlewedClock clock =
      new SlewedClock(
          System::nanoTime,
          () -> System.currentTimeMillis() + jumpMs.get(),
          aheadMs -> warnings.incrementAndGet());

  private EmbeddedEntroQ open() {
    return EmbeddedEntroQ.open(EmbeddedConfig.in(directory).clock(clock).build());
  }

  @Test
  void shouldKeepLeasesWhenTheWallClockJumpsAhead() {
    try (EmbeddedEntroQ queue = open()) {
      queue.modify(Modification.insert("q", "v")).orThrow();
      Task task = queue.tryClaim(Claim.from("q")).orElseThrow();

      jumpMs.set(Duration.ofHours(1).toMillis());

      Await.until("the jump is noticed", () -> queue.time() != null && warnings.get() == 1);
      assertThat(queue.tryClaim(Claim.from("q"))).isEmpty();
      assertThat(clock.wallAheadMs()).isGreaterThan(3_500_000);
      assertThat(queue.stats().clock().wallAheadMs()).isGreaterThan(3_500_000);
      assertThat(queue.stats().clock().deviations()).isEqualTo(1);
      queue.modify(Modification.delete(task)).orThrow();
    }
  }

  @Test
  void shouldEndLeasesWhenTheWallClockJumpsBack() throws Exception {
    try (EmbeddedEntroQ queue = open()) {
      queue.modify(Modification.insert("q", "v")).orThrow();
      Task first = queue.tryClaim(Claim.from("q").withLease(Duration.ofMillis(50))).orElseThrow();

      jumpMs.set(-Duration.ofHours(1).toMillis());

      Task second = queue.claim(Claim.from("q"));
      assertThat(second.id()).isEqualTo(first.id());
      assertThat(second.modified()).isAfterOrEqualTo(first.arrivalTime());
    }
  }

  @Test
  void shouldGoOnFromTheNewestRecordWhenTheWallClockIsBehindAtTheStart() throws Exception {
    Task task;
    try (EmbeddedEntroQ queue = open()) {
      task = queue.modify(Modification.insert("q", "v")).orThrow().inserted().get(0);
    }
    jumpMs.set(-30_000);

    try (EmbeddedEntroQ queue = open()) {
      assertThat(queue.time()).isAfterOrEqualTo(task.created());
      Claim brief = Claim.from("q").withLease(Duration.ofMillis(50));
      assertThat(queue.claim(brief).claims()).isEqualTo(1);
      assertThat(queue.claim(brief).claims()).isEqualTo(2);
      assertThat(warnings.get()).isEqualTo(1);
    }
  }
}
