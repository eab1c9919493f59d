package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims that wait, and hear of what comes by nothing but the passing of time. */
@ParameterizedClass
@EnumSource(Over.class)
class WakeUpTest {
  private static final Duration SOON = Duration.ofMillis(150);
  private static final Duration LATE = Duration.ofMillis(100);

  /** A machine may have something else to do when a task is due, but not each time. */
  private static final int TRIES = 20;

  @Parameter Over over;
  @TempDir Path directory;

  private Served served;
  private EntroQ queue;

  @BeforeEach
  void open() throws Exception {
    served = new Served(directory);
    queue = served.connect(over);
  }

  @AfterEach
  void close() {
    queue.close();
    served.close();
  }

  private CompletableFuture<List<Task>> beginClaim(String from) {
    CompletableFuture<List<Task>> claim = queue.claimAsync(Claim.from(from));
    until("the claim waits", () -> served.blockedClaims() == 1 || claim.isDone());
    return claim;
  }

  /** How long after a time a claim has its task. */
  private Duration lateness(CompletableFuture<List<Task>> claim, Instant due) {
    assertThat(claim.join()).hasSize(1);
    return Duration.between(due, served.engine().time());
  }

  private Duration latenessOfADueTask(int attempt) {
    CompletableFuture<List<Task>> claim = beginClaim("inbox");
    Insert insert = Insert.into("inbox").withId("task " + attempt);
    // A client gives times as durations by its own clock, which is not exactly the server's.
    Task inserted =
        queue.modify(Modification.insert(insert.availableIn(SOON))).orThrow().inserted().get(0);
    return lateness(claim, inserted.arrivalTime());
  }

  private Duration latenessOfALeaseThatEnds(int attempt) throws InterruptedException {
    String from = "inbox " + attempt;
    queue.modify(Modification.insert(from, "x")).orThrow();
    Task leased = queue.claim(Claim.from(from).withLease(SOON));
    return lateness(beginClaim(from), leased.arrivalTime());
  }

  @Test
  void shouldHearOfATaskWhenItIsDue() {
    Duration least = Duration.ofDays(1);
    for (int i = 0; i < TRIES && least.compareTo(LATE) >= 0; i++) {
      Duration lateness = latenessOfADueTask(i);
      assertThat(lateness).isGreaterThanOrEqualTo(Duration.ZERO);
      least = lateness.compareTo(least) < 0 ? lateness : least;
    }
    assertThat(least).isLessThan(LATE);
  }

  @Test
  void shouldHearOfATaskWhenItsLeaseEnds() throws Exception {
    Duration least = Duration.ofDays(1);
    for (int i = 0; i < TRIES && least.compareTo(LATE) >= 0; i++) {
      Duration lateness = latenessOfALeaseThatEnds(i);
      assertThat(lateness).isGreaterThanOrEqualTo(Duration.ZERO);
      least = lateness.compareTo(least) < 0 ? lateness : least;
    }
    assertThat(least).isLessThan(LATE);
  }
}
