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
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.NamespaceStats;
import io.entroq.api.Task;
import io.entroq.api.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Docs: written in one step with tasks, claimed as sets, read by key or id. */
abstract class DocConformance {
  /** Servers that serve several tests remember sets. */
  private final String users = EntroQConformance.unused("users");

  private final DocInsert ann = DocInsert.into(users, "name/ann").withId("1").withValue("Ann");

  private final EntroQConformance suite;

  DocConformance(EntroQConformance suite) {
    this.suite = suite;
  }

  private EntroQ queue() {
    return suite.queue();
  }

  private List<Doc> insert(DocInsert... docs) {
    Modification.Builder modification = Modification.builder();
    for (DocInsert doc : docs) {
      modification.insertDoc(doc);
    }
    return queue().modify(modification.build()).orThrow().insertedDocs();
  }

  private static Modification change(DocChange change) {
    return Modification.builder().changeDoc(change).build();
  }

  private static Modification delete(Doc.Ref doc) {
    return Modification.builder().deleteDoc(doc).build();
  }

  private Doc read(String namespace, String id) {
    return queue().docs(DocQuery.in(namespace).withIds(id)).get(0);
  }

  private ModifyResult.DocFailures failures(Modification modification) {
    return suite.failure(modification).docs();
  }

  @Test
  void shouldInsertADocThatIsNobodysAtVersionZero() {
    Doc doc = insert(ann.withSecondaryKey("home")).get(0);
    assertThat(doc.id()).isEqualTo(new Doc.Id(users, "1"));
    assertThat(doc.version()).isZero();
    assertThat(doc.claimant()).isEmpty();
    assertThat(doc.isHeldAt(queue().time())).isFalse();
    assertThat(doc.key()).isEqualTo("name/ann");
    assertThat(doc.secondaryKey()).isEqualTo("home");
    assertThat(doc.text()).isEqualTo("Ann");
    assertThat(doc.created()).isEqualTo(doc.modified()).isEqualTo(doc.arrivalTime());
    assertThat(read(users, "1")).isEqualTo(doc);
  }

  @Test
  void shouldInsertADocThatIsHeld() {
    Doc doc = insert(ann.heldFor(EntroQConformance.LEASE)).get(0);
    assertThat(doc.claimant()).isEqualTo(queue().claimant());
    assertThat(Duration.between(doc.modified(), doc.arrivalTime()))
        .isEqualTo(EntroQConformance.LEASE);
    DocClaim claim = DocClaim.of(users, "name/ann").withClaimant(EntroQConformance.OTHER);
    assertThat(queue().claimDocs(claim)).isInstanceOf(DocClaimResult.Held.class);
  }

  @Test
  void shouldMakeIdsForDocsWithoutOne() {
    List<Doc> docs =
        insert(DocInsert.into(users, "a"), DocInsert.into(users, "a").withSecondaryKey("2"));
    assertThat(docs.get(0).id()).isNotEqualTo(docs.get(1).id());
    assertThat(read(users, docs.get(0).id().id())).isEqualTo(docs.get(0));
  }

  @Test
  void shouldWriteDocsAndTasksInOneStepOrNotAtAll() {
    insert(ann);
    Modification both =
        Modification.builder()
            .insert(Insert.into("inbox").withId("t"))
            .insertDoc(ann.withId("2").withSecondaryKey("b"))
            .insertDoc(ann)
            .build();
    ModifyResult.DependencyFailure failure = suite.failure(both);
    assertThat(failure.docs().collisions()).containsExactly(new Doc.Id(users, "1"));
    assertThat(failure.onlyCollisions()).isTrue();
    assertThat(queue().tryClaim(Claim.from("inbox"))).isEmpty();
    assertThat(queue().docs(DocQuery.in(users))).hasSize(1);

    Modification elsewhere =
        Modification.builder()
            .insert(Insert.into("inbox").withId("t"))
            .insertDoc(DocInsert.into("others", "k").withId("1"))
            .thenClaim(Claim.from("inbox"))
            .build();
    ModifyResult.Committed committed = queue().modify(elsewhere).orThrow();
    assertThat(committed.insertedDocs()).hasSize(1);
    assertThat(committed.next()).isPresent();
  }

  @Test
  void shouldReplaceTheValueAndKeepTheKeys() {
    Doc doc = insert(ann.withSecondaryKey("home")).get(0);
    suite.advance(Duration.ofMillis(5));
    DocChange change = DocChange.of(doc).withValue(Value.absent());
    Doc changed = queue().modify(change(change)).orThrow().changedDocs().get(0);
    assertThat(changed.version()).isEqualTo(1);
    assertThat(changed.key()).isEqualTo("name/ann");
    assertThat(changed.secondaryKey()).isEqualTo("home");
    assertThat(changed.value()).isEqualTo(Value.absent());
    assertThat(changed.created()).isEqualTo(doc.created());
    assertThat(changed.modified()).isAfter(doc.modified());
    assertThat(read(users, "1")).isEqualTo(changed);
  }

  @Test
  void shouldReportWhatIsMissingOrHasAnotherVersion() {
    Doc doc = insert(ann).get(0);
    Doc.Ref stale = new Doc.Ref(doc.id(), 7);
    Doc.Ref missing = new Doc.Ref(new Doc.Id("nowhere", "1"), 1);
    ModifyResult.DocFailures failures =
        failures(
            Modification.builder()
                .changeDoc(DocChange.of(doc).withDoc(stale))
                .deleteDoc(missing)
                .dependOnDoc(new Doc.Ref(new Doc.Id(users, "2"), 1))
                .build());
    assertThat(failures.changes()).containsExactly(stale);
    assertThat(failures.deletes()).containsExactly(missing);
    assertThat(failures.depends()).hasSize(1);
    assertThat(failures.missing()).hasSize(3);
  }

  @Test
  void shouldProtectWhatIsHeldUntilTheLeaseEnds() {
    Doc doc = insert(ann).get(0);
    Doc held =
        queue()
            .modify(
                change(DocChange.of(doc).heldFor(EntroQConformance.LEASE))
                    .withClaimant(EntroQConformance.OTHER))
            .orThrow()
            .changedDocs()
            .get(0);
    assertThat(held.claimant()).isEqualTo(EntroQConformance.OTHER);
    ModifyResult.DocFailures failures = failures(delete(held.ref()));
    assertThat(failures.claims()).containsExactly(held.ref());
    assertThat(failures.setClaims())
        .containsExactly(new DocSet.Ref(users, "name/ann", held.version()));
    queue().modify(Modification.builder().dependOnDoc(held.ref()).build()).orThrow();
    suite.advance(EntroQConformance.LEASE);
    queue().modify(delete(held.ref())).orThrow();
    assertThat(queue().docs(DocQuery.in(users))).isEmpty();
  }

  @Test
  void shouldRefuseADocThatStandsTwice() {
    Doc doc = insert(ann).get(0);
    Modification twice = Modification.builder().deleteDoc(doc.ref()).dependOnDoc(doc.ref()).build();
    assertThatThrownBy(() -> queue().modify(twice))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("doc");
  }

  // Sets.

  @Test
  void shouldShowTheVersionOfTheSetOnEveryDocOfIt() {
    List<Doc> docs = insert(ann, ann.withId("2").withSecondaryKey("b"));
    assertThat(docs).extracting(Doc::version).containsOnly(0);
    queue().modify(change(DocChange.of(docs.get(0)))).orThrow();
    assertThat(read(users, "2").version()).isEqualTo(1);
    insert(ann.withId("3").withSecondaryKey("c"));
    assertThat(read(users, "1").version()).isEqualTo(2);
  }

  @Test
  void shouldRefuseADocAtATakenPlace() {
    insert(ann.withSecondaryKey("home"));
    ModifyResult.DocFailures failures =
        failures(
            Modification.builder().insertDoc(ann.withId("2").withSecondaryKey("home")).build());
    assertThat(failures.collisions()).containsExactly(new Doc.Id(users, "1"));
  }

  @Test
  void shouldClaimAllDocsOfAKeyBySecondaryKey() {
    insert(
        DocInsert.into(users, "k").withId("1").withSecondaryKey("b"),
        DocInsert.into(users, "k").withId("2").withSecondaryKey("a").withValue("v"),
        DocInsert.into(users, "k2").withId("3"));
    List<Doc> claimed = queue().claimDocs(DocClaim.of(users, "k")).orThrow();
    assertThat(claimed).extracting(doc -> doc.id().id()).containsExactly("2", "1");
    assertThat(claimed).extracting(Doc::version).containsOnly(1);
    assertThat(claimed).extracting(Doc::claimant).containsOnly(queue().claimant());
    assertThat(claimed.get(0).text()).isEqualTo("v");
    assertThat(claimed.get(0)).isEqualTo(read(users, "2"));
    assertThat(read(users, "3").version()).isZero();

    assertThat(queue().claimDocs(DocClaim.of(users, "k")).orThrow())
        .as("renewed")
        .extracting(Doc::version)
        .containsOnly(2);
    queue().modify(delete(new Doc.Ref(new Doc.Id(users, "2"), 2))).orThrow();
  }

  @Test
  void shouldClaimASetBeforeItHasDocs() {
    DocSet set = queue().claimDocs(DocClaim.of(users, "k")).claimedOrThrow().sets().get(0);
    assertThat(set.ref()).isEqualTo(new DocSet.Ref(users, "k", 1));
    assertThat(set.docs()).isZero();
    assertThat(set.claimant()).isEqualTo(queue().claimant());
    assertThat(set.isHeldAt(queue().time())).isTrue();
    Modification insert =
        Modification.builder().insertDoc(DocInsert.into(users, "k").withId("1")).build();
    assertThat(failures(insert.withClaimant(EntroQConformance.OTHER)).setClaims())
        .containsExactly(set.ref());
    assertThat(queue().modify(insert).orThrow().insertedDocs().get(0).version()).isEqualTo(2);
  }

  @Test
  void shouldClaimSeveralSetsOrNone() {
    insert(DocInsert.into(users, "a").withId("1"), DocInsert.into(users, "b").withId("2"));
    DocClaim both = DocClaim.of(users, "b").and(users, "a").and(users, "none");
    DocClaimResult.Claimed claimed = queue().claimDocs(both).claimedOrThrow();
    assertThat(claimed.docs()).extracting(doc -> doc.id().id()).containsExactly("2", "1");
    assertThat(claimed.sets()).extracting(DocSet::key).containsExactly("b", "a", "none");
    assertThat(claimed.sets()).extracting(DocSet::docs).containsExactly(1, 1, 0);
    DocClaim more =
        DocClaim.of(users, "free").and(users, "a").withClaimant(EntroQConformance.OTHER);
    DocClaimResult refused = queue().claimDocs(more);
    assertThat(refused)
        .isEqualTo(
            new DocClaimResult.Held(
                List.of(claimed.sets().get(1).ref()), List.of(claimed.docs().get(1).ref())));
    assertThatThrownBy(refused::orThrow).isInstanceOf(EntroQException.Dependency.class);
    assertThat(queue().claimDocs(DocClaim.of(users, "free")).claimedOrThrow().sets().get(0))
        .as("not claimed before")
        .extracting(DocSet::version)
        .isEqualTo(1);
    suite.advance(EntroQConformance.LEASE);
    assertThat(queue().claimDocs(more).orThrow()).hasSize(1);
    assertThat(queue().claimDocs(DocClaim.of(users, "b").withoutDocs()).orThrow()).isEmpty();
  }

  @Test
  void shouldHoldSetsUntilTheEndOfATasksLease() {
    suite.insert("inbox", "work");
    Task task = suite.queue().tryClaim(Claim.from("inbox")).orElseThrow();
    suite.advance(Duration.ofSeconds(10));
    DocClaim claim = DocClaim.of(users, "k").withTask(task);
    DocSet set = queue().claimDocs(claim).claimedOrThrow().sets().get(0);
    assertThat(set.arrivalTime()).isEqualTo(task.arrivalTime());
    Task renewed =
        queue().modify(Modification.renew(task, Duration.ofMinutes(1))).orThrow().changed().get(0);
    DocClaimResult stale = queue().claimDocs(claim);
    assertThat(stale).isEqualTo(new DocClaimResult.TaskLost(task.ref()));
    assertThatThrownBy(stale::orThrow).isInstanceOf(EntroQException.Dependency.class);
    queue().modify(Modification.release(renewed)).orThrow();
    assertThat(queue().claimDocs(claim.withTask(suite.read(task.id()))))
        .as("the lease has ended")
        .isInstanceOf(DocClaimResult.TaskLost.class);
  }

  @Test
  void shouldRenewAndReleaseTheLeaseOfASet() {
    DocSet claimed = queue().claimDocs(DocClaim.of(users, "k")).claimedOrThrow().sets().get(0);
    suite.advance(Duration.ofSeconds(20));
    Modification renewal =
        Modification.builder().renewSet(claimed.ref(), EntroQConformance.LEASE).build();
    assertThat(failures(renewal.withClaimant(EntroQConformance.OTHER)).setClaims())
        .containsExactly(claimed.ref());
    DocSet renewed = queue().modify(renewal).orThrow().changedSets().get(0);
    assertThat(renewed.version()).isEqualTo(2);
    assertThat(renewed.claimant()).isEqualTo(queue().claimant());
    assertThat(renewed.arrivalTime()).isAfter(claimed.arrivalTime());
    assertThat(failures(renewal).setChanges()).containsExactly(renewed.ref());
    DocSet released =
        queue()
            .modify(Modification.builder().releaseSet(renewed.ref()).build())
            .orThrow()
            .changedSets()
            .get(0);
    assertThat(released.claimant()).isEmpty();
    assertThat(queue().claimDocs(DocClaim.of(users, "k").withClaimant(EntroQConformance.OTHER)))
        .isInstanceOf(DocClaimResult.Claimed.class);
  }

  @Test
  void shouldRenewASetAndWriteToItInOneStep() {
    Doc doc = insert(ann).get(0);
    ModifyResult.Committed committed =
        queue()
            .modify(
                Modification.builder()
                    .changeDoc(DocChange.of(doc).withValue("Anna"))
                    .insertDoc(ann.withId("2").withSecondaryKey("b"))
                    .renewSet(new DocSet.Ref(users, "name/ann", 0), EntroQConformance.LEASE)
                    .build())
            .orThrow();
    assertThat(committed.changedSets().get(0).version()).isEqualTo(1);
    assertThat(committed.changedSets().get(0).docs()).isEqualTo(2);
    assertThat(committed.changedDocs().get(0).version()).isEqualTo(1);
    assertThat(committed.insertedDocs().get(0).claimant()).isEqualTo(queue().claimant());
  }

  @Test
  void shouldDependOnASetWhoeverHoldsIt() {
    DocSet.Ref unknown = new DocSet.Ref(users, "k", 0);
    assertThat(failures(Modification.builder().dependOnSet(unknown).build()).setDepends())
        .containsExactly(unknown);
    DocSet held =
        queue()
            .claimDocs(DocClaim.of(users, "k").withClaimant(EntroQConformance.OTHER))
            .claimedOrThrow()
            .sets()
            .get(0);
    queue().modify(Modification.builder().dependOnSet(held.ref()).build()).orThrow();
    assertThat(queue().claimDocs(DocClaim.of(users, "k")))
        .isEqualTo(new DocClaimResult.Held(List.of(held.ref()), List.of()));
  }

  // Reads.

  @Test
  void shouldReadARangeOfKeysInTheirOrder() {
    insert(
        DocInsert.into(users, "b").withId("1").withSecondaryKey("2"),
        DocInsert.into(users, "c").withId("2"),
        DocInsert.into(users, "b").withId("3").withSecondaryKey("1"),
        DocInsert.into(users, "").withId("4"),
        DocInsert.into(users, "ü").withId("5").withValue("v"));
    assertThat(ids(DocQuery.in(users))).containsExactly("4", "3", "1", "2", "5");
    assertThat(ids(DocQuery.in(users).between("b", "c"))).containsExactly("3", "1");
    assertThat(ids(DocQuery.in(users).between("c", ""))).containsExactly("2", "5");
    assertThat(ids(DocQuery.in(users).withLimit(2))).containsExactly("4", "3");
    assertThat(ids(DocQuery.in(users).withKey("b"))).containsExactly("3", "1");
    assertThat(ids(DocQuery.in(users).withKey("b").withLimit(1))).containsExactly("3");
    assertThat(ids(DocQuery.in(users).withLimit(1).withIds("2", "9", "1")))
        .containsExactly("2", "1");
    assertThat(ids(DocQuery.in("nowhere"))).isEmpty();
    Doc last = queue().docs(DocQuery.in(users).between("ü", "").withoutValues()).get(0);
    assertThat(last.value()).isEqualTo(Value.absent());
  }

  private List<String> ids(DocQuery query) {
    return queue().docs(query).stream().map(doc -> doc.id().id()).toList();
  }

  @Test
  void shouldTellHowNamespacesStandWhileTheyHaveDocs() {
    String carts = EntroQConformance.unused("carts");
    insert(ann, ann.withId("2").withSecondaryKey("b"), DocInsert.into(carts, "k").withId("1"));
    queue().claimDocs(DocClaim.of(carts, "k")).orThrow();
    NamespaceStats two = new NamespaceStats(users, 2, 0);
    NamespaceStats one = new NamespaceStats(carts, 1, 1);
    assertThat(queue().namespaces(NamespaceQuery.all())).isEqualTo(Map.of(users, two, carts, one));
    assertThat(queue().namespaces(NamespaceQuery.startingWith("ca"))).isEqualTo(Map.of(carts, one));
    assertThat(queue().namespaces(NamespaceQuery.named(users, "nobody")))
        .isEqualTo(Map.of(users, two));
    assertThat(queue().namespaces(NamespaceQuery.all().withLimit(1))).hasSize(1);
    queue().modify(delete(new Doc.Ref(new Doc.Id(carts, "1"), 1))).orThrow();
    assertThat(queue().namespaces(NamespaceQuery.all())).isEqualTo(Map.of(users, two));
  }

  @Test
  void shouldRefuseEmptyAndLongNames() {
    String tooLong = "x".repeat(1_025);
    assertThatThrownBy(() -> DocInsert.into("", "k"))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("namespace");
    assertThatThrownBy(() -> DocInsert.into(users, tooLong))
        .isInstanceOf(EntroQException.InvalidArgument.class)
        .hasMessageContaining("1025");
    assertThatThrownBy(() -> DocClaim.of(users, "k").withLease(Duration.ofMillis(-1)))
        .isInstanceOf(EntroQException.InvalidArgument.class);
  }
}
