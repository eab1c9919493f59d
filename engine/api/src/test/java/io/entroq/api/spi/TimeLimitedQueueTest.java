package io.entroq.api.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.fake.FakeEntroQ;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A queue that answers late or never; what others do is in the conformance suite. */
class TimeLimitedQueueTest {
  private static final Modification INSERT = Modification.insert("inbox", "hello");

  private final FakeEntroQ fake = new FakeEntroQ();
  private final EntroQ queue = fake.withTimeout(Duration.ofMillis(20));

  @Test
  void shouldNotKnowWhatBecomesOfAWrite() {
    CompletableFuture<ModifyResult> never = new CompletableFuture<>();
    fake.setModifyFault(modification -> Optional.of(never));
    ModifyResult result = queue.modify(INSERT);
    assertThat(result)
        .isEqualTo(new ModifyResult.OutcomeUnknown("the queue has not answered within 20 ms"));
    assertThatThrownBy(result::orThrow).isInstanceOf(EntroQException.OutcomeUnknown.class);
  }

  @Test
  void shouldPassOnWhyAWriteFails() {
    CompletableFuture<ModifyResult> refused =
        CompletableFuture.failedFuture(new EntroQException.ResourceExhausted("full"));
    fake.setModifyFault(modification -> Optional.of(refused));
    assertThatThrownBy(() -> queue.modify(INSERT))
        .isInstanceOf(EntroQException.ResourceExhausted.class);
  }

  @Test
  void shouldReleaseWhatAClaimGetsTooLate() {
    // One that a cancel does not reach in time.
    CompletableFuture<List<Task>> late =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
          }
        };
    fake.setClaimFault(claim -> Optional.of(late));
    assertThatThrownBy(() -> queue.claim(Claim.from("inbox")))
        .isInstanceOf(EntroQException.TimedOut.class);
    fake.modify(INSERT).orThrow();
    late.complete(fake.tryClaimMany(Claim.from("inbox")));
    assertThat(fake.tryClaim(Claim.from("inbox"))).isPresent();
  }

  @Test
  void shouldReleaseWhatAClaimThatDoesNotWaitGetsTooLate() {
    CompletableFuture<List<Task>> late = new CompletableFuture<>();
    fake.setTryClaimFault(claim -> Optional.of(late));
    Claim mine = Claim.from("inbox").withClaimant("me");
    assertThatThrownBy(() -> queue.tryClaim(mine))
        .isInstanceOf(EntroQException.OutcomeUnknown.class);
    assertReleased(mine, late);
  }

  @Test
  void shouldReleaseWhatAClaimThatDoesNotWaitGetsForACallerThatHasGone() {
    CompletableFuture<List<Task>> late = new CompletableFuture<>();
    fake.setTryClaimFault(claim -> Optional.of(late));
    Claim mine = Claim.from("inbox").withClaimant("me");
    assertThat(fake.withTimeout(Duration.ofDays(1)).tryClaimAsync(mine).cancel(false)).isTrue();
    assertReleased(mine, late);
  }

  /** Answers a claim that nobody waits for any more. */
  private void assertReleased(Claim claim, CompletableFuture<List<Task>> late) {
    fake.setTryClaimFault(any -> Optional.empty());
    fake.modify(INSERT).orThrow();
    assertThat(late.complete(fake.tryClaimMany(claim))).isTrue();
    assertThat(fake.tryClaim(Claim.from("inbox"))).isPresent();
  }

  /** One caller that takes long would delay the deadlines of all. */
  @Test
  void shouldNotCallAnybodyOnTheThreadOfDeadlines() {
    fake.setClaimFault(claim -> Optional.of(new CompletableFuture<>()));
    CompletableFuture<String> thread =
        queue
            .claimAsync(Claim.from("inbox"))
            .handle((tasks, failure) -> Thread.currentThread().getName());
    assertThat(thread.join()).doesNotContain("DelayScheduler");
  }

  @Test
  void shouldEndTheClaimOfACallerThatHasGone() {
    CompletableFuture<List<Task>> claim = queue.claimAsync(Claim.from("inbox"));
    claim.cancel(false);
    assertThat(fake.waiting()).isZero();
  }

  @Test
  void shouldOfferWhatTheQueueOffers() {
    assertThat(queue.extension(FakeEntroQ.class)).containsSame(fake);
    assertThat(queue.extension(EntroQ.class)).containsSame(queue);
  }
}
