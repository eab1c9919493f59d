package io.entroq.api.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocInsert;
import io.entroq.api.DocModification;
import io.entroq.api.DocQuery;
import io.entroq.api.DocSet;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a worker holds doc sets with its task. */
class WorkerDocsTest extends WorkerTestBase {
  private static final DocClaim BOTH = DocClaim.of("users", "ann").and("users", "bob");

  private final CountDownLatch claimed = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);

  @BeforeEach
  void insertDocs() {
    queue
        .modifyInEarnest(
            Modification.builder()
                .insertDoc(DocInsert.into("users", "ann").withId("1").withValue("Ann"))
                .insertDoc(DocInsert.into("users", "bob").withId("2").withValue("Bob"))
                .build())
        .orThrow();
  }

  private Doc read(String id) {
    return queue.docs(DocQuery.in("users").withIds(id)).get(0);
  }

  /** Claims both sets, waits to be let go, and changes the doc of one. */
  private Outcome changeAnn(WorkContext<?> work) throws InterruptedException {
    List<Doc> docs = work.claimDocs(BOTH).orThrow();
    claimed.countDown();
    go.await();
    return Outcome.done(
        Modification.builder().changeDoc(DocChange.of(docs.get(0)).withValue("Anna")).build());
  }

  private List<DocModification> docsOf(List<Modification> sent) {
    return sent.stream().map(Modification::docs).toList();
  }

  @Test
  void shouldHoldSetsUntilTheEndOfTheTasksLease() throws Exception {
    Task task = insert("work");
    start(this::changeAnn);
    claimed.await();

    assertThat(read("1").claimant()).isEqualTo(queue.claimant());
    assertThat(read("1").arrivalTime()).isEqualTo(super.read(task.id()).arrivalTime());
    assertThat(queue.claimDocs(BOTH.withClaimant("another")))
        .isInstanceOf(DocClaimResult.Held.class);
    go.countDown();
    awaitGone(task);
  }

  @Test
  void shouldRenewSetsWithTheirTaskInOneModification() throws Exception {
    Task task = insert("work");
    start(this::changeAnn);
    claimed.await();

    advance(DUE);
    Task renewed = awaitVersion(task, 2);

    assertThat(renewals()).hasSize(1);
    assertThat(renewals().get(0).docs().setLeases())
        .containsExactly(
            new DocSet.LeaseChange(new DocSet.Ref("users", "ann", 1), LEASE),
            new DocSet.LeaseChange(new DocSet.Ref("users", "bob", 1), LEASE));
    assertThat(read("2").arrivalTime()).isEqualTo(renewed.arrivalTime());
    go.countDown();
    awaitGone(task);
  }

  @Test
  void shouldCommitDocsAtTheNewestVersionAndReleaseTheOtherSetsInTheSameStep() throws Exception {
    Task task = insert("work");
    start(this::changeAnn);
    claimed.await();
    advance(DUE);
    awaitVersion(task, 2);

    go.countDown();
    awaitGone(task);

    DocModification committed = docsOf(modifications).get(modifications.size() - 1);
    assertThat(committed.changes().get(0).doc().version()).isEqualTo(2);
    assertThat(read("1").text()).isEqualTo("Anna");
    assertThat(List.of(read("1"), read("2"))).extracting(Doc::claimant).containsOnly("");
    assertThat(List.of(read("1"), read("2"))).extracting(Doc::version).containsOnly(3);
    assertThat(events.lost).isEmpty();
    assertThat(events.handlerFailures).isEmpty();
  }

  @Test
  void shouldReleaseSetsWhenTheTaskIsRetried() {
    Task task = insert("work");
    start(
        work -> {
          work.claimDocs(BOTH).orThrow();
          return Outcome.retry("it rains");
        });

    awaitVersion(task, 2);

    assertThat(List.of(read("1"), read("2"))).extracting(Doc::claimant).containsOnly("");
  }

  @Test
  void shouldNameASetOnceThatTheOutcomeNames() {
    Task task = insert("work");
    start(
        work -> {
          DocSet set = work.claimDocs(DocClaim.of("users", "ann")).claimedOrThrow().sets().get(0);
          return Outcome.done(
              Modification.builder().renewSet(set.ref(), Duration.ofHours(1)).build());
        });

    awaitGone(task);

    assertThat(read("1").arrivalTime()).isEqualTo(queue.time().plus(Duration.ofHours(1)));
  }

  @Test
  void shouldClaimNothingForATaskWhoseLeaseIsLost() throws Exception {
    Task task = insert("work");
    CountDownLatch begun = new CountDownLatch(1);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicReference<DocClaimResult> result = new AtomicReference<>();
    start(
        work -> {
          if (work.task().text().equals("go on")) {
            return Outcome.done();
          }
          begun.countDown();
          go.await();
          result.set(work.claimDocs(BOTH));
          while (!work.isCancelled()) {
            Thread.onSpinWait();
          }
          assertThatThrownBy(() -> work.claimDocs(BOTH)).satisfies(thrown::set);
          return Outcome.done();
        });
    begun.await();
    Task stolen = steal(task);
    go.countDown();
    Eventually.await("the refusal", () -> result.get() != null);

    advance(DUE);

    Eventually.await("the exception", () -> thrown.get() != null);
    assertThat(result.get()).isInstanceOf(DocClaimResult.TaskLost.class);
    assertThat(thrown.get()).isInstanceOf(CancellationException.class);
    assertThat(super.read(task.id())).isEqualTo(stolen);
    assertThat(read("1").version()).isZero();
  }
}
