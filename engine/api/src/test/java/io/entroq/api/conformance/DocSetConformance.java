package io.entroq.api.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocInsert;
import io.entroq.api.DocQuery;
import io.entroq.api.DocSet;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskRef;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The life of a doc set: its version, who holds it until when, and what moves it. */
abstract class DocSetConformance {
  /** Servers that serve several tests remember sets. */
  private final String namespace = EntroQConformance.unused("users");

  private static final String KEY = "ann";

  private final EntroQConformance suite;

  DocSetConformance(EntroQConformance suite) {
    this.suite = suite;
  }

  private EntroQ queue() {
    return suite.queue();
  }

  private DocInsert doc(String id) {
    return DocInsert.into(namespace, KEY).withId(id).withSecondaryKey(id);
  }

  private List<Doc> insert(String... ids) {
    Modification.Builder modification = Modification.builder();
    for (String id : ids) {
      modification.insertDoc(doc(id));
    }
    return queue().modify(modification.build()).orThrow().insertedDocs();
  }

  private Doc read(String id) {
    return queue().docs(DocQuery.in(namespace).withIds(id)).get(0);
  }

  private DocSet.Ref set(int version) {
    return new DocSet.Ref(namespace, KEY, version);
  }

  private Doc.Ref ref(String id, int version) {
    return new Doc.Ref(new Doc.Id(namespace, id), version);
  }

  private DocSet claim() {
    return queue().claimDocs(DocClaim.of(namespace, KEY)).claimedOrThrow().sets().get(0);
  }

  private DocSet claimAsOther() {
    DocClaim claim = DocClaim.of(namespace, KEY).withClaimant(EntroQConformance.OTHER);
    return queue().claimDocs(claim).claimedOrThrow().sets().get(0);
  }

  private ModifyResult.Committed commit(Modification.Builder modification) {
    return queue().modify(modification.build()).orThrow();
  }

  private void assertInvalid(Modification.Builder modification) {
    assertThatThrownBy(() -> queue().modify(modification.build()))
        .isInstanceOf(EntroQException.InvalidArgument.class);
  }

  @Test
  void shouldMoveOnceWithAModificationOfSeveralDocs() {
    List<Doc> docs = insert("1", "2", "3");

    ModifyResult.Committed committed =
        commit(
            Modification.builder()
                .insertDoc(doc("4"))
                .changeDoc(DocChange.of(docs.get(0)))
                .changeDoc(DocChange.of(docs.get(1)))
                .deleteDoc(docs.get(2).ref()));

    assertThat(committed.insertedDocs()).extracting(Doc::version).containsExactly(1);
    assertThat(committed.changedDocs()).extracting(Doc::version).containsExactly(1, 1);
  }

  @Test
  void shouldReleaseASetThatACommitDoesNotHold() {
    insert("1");
    claim();

    Doc changed =
        commit(Modification.builder().changeDoc(DocChange.of(read("1")))).changedDocs().get(0);

    assertThat(changed.claimant()).isEmpty();
    assertThat(changed.arrivalTime()).isEqualTo(changed.modified());
    assertThat(claimAsOther().version()).isEqualTo(3);
  }

  @Test
  void shouldHoldASetUntilTheLatestOfSeveralTimes() {
    List<Doc> docs = insert("1", "2", "3");

    List<Doc> changed =
        commit(
                Modification.builder()
                    .changeDoc(DocChange.of(docs.get(0)).heldFor(Duration.ofSeconds(9)))
                    .changeDoc(DocChange.of(docs.get(1)).heldFor(Duration.ofSeconds(60)))
                    .changeDoc(DocChange.of(docs.get(2))))
            .changedDocs();

    assertThat(changed)
        .extracting(doc -> Duration.between(doc.modified(), doc.arrivalTime()))
        .containsOnly(Duration.ofSeconds(60));
    assertThat(changed).extracting(Doc::claimant).containsOnly(queue().claimant());
  }

  @Test
  void shouldNotBeHeldByADelete() {
    List<Doc> docs = insert("1", "2");
    claim();

    commit(Modification.builder().deleteDoc(ref("1", 1)));

    assertThat(read("2").claimant()).isEmpty();
    assertThat(docs).hasSize(2);
  }

  @Test
  void shouldStayAsItIsWhenAModificationIsRefused() {
    insert("1");
    DocSet held = claim();

    ModifyResult.DependencyFailure failure =
        suite.failure(
            Modification.builder()
                .changeDoc(DocChange.of(read("1")))
                .deleteDoc(ref("2", held.version()))
                .build());

    assertThat(failure.docs().deletes()).containsExactly(ref("2", held.version()));
    assertThat(read("1").version()).isEqualTo(held.version());
    assertThat(read("1").claimant()).isEqualTo(queue().claimant());
    assertThat(read("1").arrivalTime()).isEqualTo(held.arrivalTime());
  }

  @Test
  void shouldGiveItsVersionToDocsThatLeaveItOut() {
    insert("1", "2");
    claim();

    DocChange change = DocChange.of(read("1")).withDoc(ref("1", 0));
    commit(Modification.builder().changeDoc(change).dependOnSet(set(1)));
    assertThat(read("1").version()).isEqualTo(2);

    ModifyResult.DependencyFailure failure =
        suite.failure(Modification.builder().changeDoc(change).build());
    assertThat(failure.docs().changes()).containsExactly(ref("1", 0));
  }

  @Test
  void shouldGoOnAfterItsLastDoc() {
    insert("1");
    commit(Modification.builder().deleteDoc(ref("1", 0)));

    assertThat(insert("2").get(0).version()).isEqualTo(2);
    assertThat(claim().version()).isEqualTo(3);
  }

  @Test
  void shouldRefuseALeaseOfWhatIsNotThereOrAtAnotherVersion() {
    ModifyResult.DependencyFailure unknown =
        suite.failure(Modification.builder().renewSet(set(0), EntroQConformance.LEASE).build());
    assertThat(unknown.docs().setChanges()).containsExactly(set(0));

    DocSet held = claim();
    ModifyResult.DependencyFailure other =
        suite.failure(Modification.builder().renewSet(set(7), EntroQConformance.LEASE).build());
    assertThat(other.docs().setChanges()).containsExactly(held.ref());
  }

  @Test
  void shouldRenewASetAndATaskInOneStep() {
    suite.insert("inbox", "work");
    Task task = suite.claimNow("inbox");
    DocClaim claim = DocClaim.of(namespace, KEY).withTask(task);
    DocSet set = queue().claimDocs(claim).claimedOrThrow().sets().get(0);
    suite.advance(Duration.ofSeconds(20));

    ModifyResult.Committed renewed =
        commit(
            Modification.builder()
                .renew(task, EntroQConformance.LEASE)
                .renewSet(set.ref(), EntroQConformance.LEASE));

    assertThat(renewed.changedSets().get(0).arrivalTime())
        .isEqualTo(renewed.changed().get(0).arrivalTime());
  }

  @Test
  void shouldReportTasksDocsAndSetsTogether() {
    suite.insert("inbox", "work");
    Task task = suite.claimNow("inbox");
    insert("1");

    ModifyResult.DependencyFailure failure =
        suite.failure(
            Modification.builder()
                .delete(new TaskRef(task.id(), 9, "inbox"))
                .insertDoc(doc("2").withSecondaryKey("1"))
                .changeDoc(DocChange.of(read("1")).withDoc(ref("1", 9)))
                .renewSet(set(8), EntroQConformance.LEASE)
                .dependOnSet(new DocSet.Ref(namespace, "nobody", 0))
                .build());

    assertThat(failure.deletes()).hasSize(1);
    assertThat(failure.docs().collisions()).containsExactly(new Doc.Id(namespace, "1"));
    assertThat(failure.docs().changes()).containsExactly(ref("1", 9));
    assertThat(failure.docs().setChanges()).containsExactly(set(0));
    assertThat(failure.docs().setDepends()).hasSize(1);
    assertThat(suite.find(task.id())).isPresent();
  }

  @Test
  void shouldRefuseTwoDocsAtOnePlaceAndOneSetTwice() {
    DocSet held = claim();

    assertInvalid(
        Modification.builder().insertDoc(doc("1")).insertDoc(doc("2").withSecondaryKey("1")));
    assertInvalid(
        Modification.builder()
            .renewSet(held.ref(), EntroQConformance.LEASE)
            .renewSet(held.ref(), EntroQConformance.LEASE));
    assertThatThrownBy(() -> queue().claimDocs(DocClaim.of(namespace, KEY).and(namespace, KEY)))
        .isInstanceOf(EntroQException.InvalidArgument.class);
    assertThat(claim().version()).as("nothing has changed").isEqualTo(held.version() + 1);
  }

  @Test
  void shouldBeFreeForOthersWhenItsLeaseHasEnded() {
    DocSet held = claim();
    DocClaim other = DocClaim.of(namespace, KEY).withClaimant(EntroQConformance.OTHER);
    assertThat(queue().claimDocs(other))
        .isEqualTo(new DocClaimResult.Held(List.of(held.ref()), List.of()));

    suite.advance(EntroQConformance.LEASE);

    assertThat(claimAsOther().version()).isEqualTo(2);
    assertThat(queue().tryClaim(Claim.from("inbox"))).isEmpty();
  }
}
