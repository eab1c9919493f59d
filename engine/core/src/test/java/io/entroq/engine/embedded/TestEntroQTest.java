package io.entroq.engine.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TestEntroQTest {
  @Test
  void shouldStandStillUntilMoved() {
    try (TestEntroQ queue = TestEntroQ.open()) {
      assertThat(queue.time()).isEqualTo(TestEntroQ.START).isEqualTo(queue.now());
      queue
          .modify(Modification.insert(Insert.into("q").availableIn(Duration.ofHours(1))))
          .orThrow();
      assertThat(queue.tryClaim(Claim.from("q"))).isEmpty();

      queue.advance(Duration.ofHours(1));

      assertThat(queue.time()).isEqualTo(TestEntroQ.START.plus(Duration.ofHours(1)));
      assertThat(queue.tryClaim(Claim.from("q"))).isPresent();
    }
  }

  @Test
  void shouldHaveServedWaitingClaimsWhenTheClockHasMoved() throws Exception {
    try (TestEntroQ queue = TestEntroQ.open()) {
      int tasks = 2_500;
      Modification.Builder inserts = Modification.builder();
      List<CompletableFuture<List<Task>>> claims = new ArrayList<>();
      for (int i = 0; i < tasks; i++) {
        inserts.insert(Insert.into("q").availableIn(Duration.ofSeconds(1)));
        claims.add(queue.claimAsync(Claim.from("q")));
      }
      queue.modify(inserts.build()).orThrow();

      queue.advance(Duration.ofSeconds(1));

      // More than one step serves; all of them have been taken when the clock has moved.
      assertThat(queue.queueStats(QueueQuery.all()).get("q").claimed()).isEqualTo(tasks);
      for (CompletableFuture<List<Task>> claim : claims) {
        assertThat(claim.get(30, TimeUnit.SECONDS)).hasSize(1);
      }
    }
  }

  @Test
  void shouldEndWaitingClaimsWhenTheirTimeIsOver() throws Exception {
    try (TestEntroQ queue = TestEntroQ.open()) {
      CompletableFuture<List<Task>> claim =
          queue.claimAsync(Claim.from("q").withMaxWait(Duration.ofMinutes(5)));

      queue.advance(Duration.ofMinutes(5));

      assertThat(claim.get(30, TimeUnit.SECONDS)).isEmpty();
    }
  }

  @Test
  void shouldNotGoBack() {
    try (TestEntroQ queue = TestEntroQ.open()) {
      assertThatThrownBy(() -> queue.advance(Duration.ofMillis(-1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
