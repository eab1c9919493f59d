package io.entroq.api.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.fake.FakeEntroQ;
import io.entroq.api.spi.ObservedQueue.Operation;
import io.entroq.api.spi.ObservedQueue.Request;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class ObservedQueueTest {
  private static final Claim CLAIM = Claim.from("inbox");

  private final FakeEntroQ fake = new FakeEntroQ();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final EntroQ queue = new ObservedQueue(fake, requests::add);

  private Request only() {
    assertThat(requests).hasSize(1);
    Request request = requests.remove(0);
    assertThat(request.tookNs()).isNotNegative();
    return request;
  }

  private void assertOnly(Operation operation, String destination, String error, String... sent) {
    assertThat(only())
        .usingRecursiveComparison()
        .ignoringFields("tookNs")
        .isEqualTo(new Request(operation, destination, List.of(sent), error, 0));
  }

  @Test
  void shouldTellOfWhatWaitsForItsAnswer() throws InterruptedException {
    queue.modify(Modification.insert("inbox", "a")).orThrow();
    assertOnly(Operation.SEND, "inbox", "", "inbox");
    Task task = queue.claim(CLAIM);
    assertOnly(Operation.CLAIM, "inbox", "");
    queue.modify(Modification.delete(task)).orThrow();
    assertOnly(Operation.MODIFY, "", "");
    assertThat(queue.tryClaim(CLAIM)).isEmpty();
    assertOnly(Operation.TRY_CLAIM, "inbox", "");
  }

  @Test
  void shouldTellOfWhatDoesNotWait() {
    CompletableFuture<List<Task>> claim = queue.claimAsync(CLAIM);
    assertThat(requests).isEmpty();
    queue.modifyAsync(Modification.insert("inbox", "a")).join().orThrow();
    claim.join();
    assertThat(requests)
        .extracting(Request::operation)
        .containsExactlyInAnyOrder(Operation.SEND, Operation.CLAIM);
    requests.clear();
    queue.tryClaimAsync(CLAIM).join();
    assertOnly(Operation.TRY_CLAIM, "inbox", "");
  }

  @Test
  void shouldNameTheQueueOnlyIfThereIsOne() {
    queue.tryClaimMany(Claim.from("inbox", "other"));
    assertOnly(Operation.TRY_CLAIM, "", "");
    Insert alice = Insert.into("orders").withKey("alice");
    queue.modify(Modification.insert(alice, Insert.into("orders").withKey("bob"))).orThrow();
    assertOnly(Operation.SEND, "orders", "", "orders", "orders");
    queue.modify(Modification.insert(alice, Insert.into("other"))).orThrow();
    assertOnly(Operation.SEND, "", "", "orders", "other");
  }

  @Test
  void shouldTellFailures() {
    Task gone = fake.modify(Modification.insert("inbox", "a")).orThrow().inserted().get(0);
    fake.modify(Modification.delete(gone)).orThrow();
    Modification late = Modification.insert("inbox", "b").and(Modification.delete(gone.ref()));
    assertThat(queue.modify(late).isCommitted()).isFalse();
    assertOnly(Operation.SEND, "inbox", "DependencyFailure");
    assertThat(queue.modifyAsync(late).join().isCommitted()).isFalse();
    assertOnly(Operation.SEND, "inbox", "DependencyFailure");

    CompletableFuture<ModifyResult> full =
        CompletableFuture.failedFuture(
            new CompletionException(new EntroQException.ResourceExhausted("full")));
    fake.setModifyFault(modification -> Optional.of(full));
    assertThat(queue.modifyAsync(late)).isCompletedExceptionally();
    assertOnly(Operation.SEND, "inbox", EntroQException.ResourceExhausted.class.getName());
    fake.setModifyFault(
        modification -> {
          throw new EntroQException.InvalidArgument("no");
        });
    assertThatThrownBy(() -> queue.modifyAsync(late))
        .isInstanceOf(EntroQException.InvalidArgument.class);
    assertOnly(Operation.SEND, "inbox", EntroQException.InvalidArgument.class.getName());

    fake.close();
    assertThatThrownBy(() -> queue.claim(CLAIM)).isInstanceOf(EntroQException.Closed.class);
    assertOnly(Operation.CLAIM, "inbox", EntroQException.Closed.class.getName());
  }

  @Test
  void shouldTakeAClaimThatIsGivenUpForNoFailure() {
    queue.claimAsync(CLAIM).cancel(false);
    assertOnly(Operation.CLAIM, "inbox", "");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> queue.claim(CLAIM)).isInstanceOf(InterruptedException.class);
    assertOnly(Operation.CLAIM, "inbox", "");
  }

  @Test
  void shouldObserveWithATimeToo() {
    queue.withTimeout(Duration.ofSeconds(30)).tryClaim(CLAIM);
    assertOnly(Operation.TRY_CLAIM, "inbox", "");
  }

  @Test
  void shouldLeaveRequestsAloneIfTheObserverFails() throws InterruptedException {
    EntroQ broken =
        new ObservedQueue(
            fake,
            request -> {
              requests.add(request);
              throw new NoClassDefFoundError("of a test");
            });
    Logger log = Logger.getLogger(ObservedQueue.class.getName());
    log.setLevel(Level.OFF);
    try {
      assertThat(broken.modify(Modification.insert("inbox", "a")).isCommitted()).isTrue();
      assertOnly(Operation.SEND, "inbox", "", "inbox");
      Task task = broken.claim(CLAIM);
      assertOnly(Operation.CLAIM, "inbox", "");
      assertThat(broken.modifyAsync(Modification.delete(task)).join().isCommitted()).isTrue();
    } finally {
      log.setLevel(null);
    }
  }

  /** Such as one that asks whether it observes the queue already. */
  @Test
  void shouldOfferItsObserver() {
    record Counter() implements ObservedQueue.Observer {
      @Override
      public void onRequest(Request request) {
        // Of a test.
      }
    }

    Counter counter = new Counter();
    EntroQ twice = new ObservedQueue(new ObservedQueue(fake, counter), requests::add);
    assertThat(twice.extension(Counter.class)).containsSame(counter);
    assertThat(twice.extension(FakeEntroQ.class)).containsSame(fake);
  }
}
