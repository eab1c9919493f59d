package io.entroq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Arrival;
import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocInsert;
import io.entroq.api.DocQuery;
import io.entroq.api.DocSet;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import io.entroq.client.StrictServer.Request;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.ChangeMode;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimDocsResponse;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DocID;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.codec.wire.edge.TimeResponse;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the client asks of EntroQ's own server, which refuses what it does not know. */
class StrictServerTest {
  private static final long NOW_MS = 1_800_000_000_000L;
  private static final Instant NOW = Instant.ofEpochMilli(NOW_MS);
  private static final Duration LEASE = Duration.ofSeconds(45);
  private static final Task TASK =
      new Task(
          TaskId.of("t"),
          3,
          "inbox",
          NOW.plus(LEASE),
          "me",
          Value.text("work"),
          NOW,
          NOW,
          1,
          0,
          "");
  private static final Doc.Ref DOC = new Doc.Ref(new Doc.Id("users", "1"), 4);
  private static final DocSet.Ref SET = new DocSet.Ref("users", "ann", 4);

  private StrictServer server;
  private EntroQClient client;

  @BeforeEach
  void connect() throws Exception {
    server = new StrictServer("1,2");
    server.answering("Time", TimeResponse.newBuilder().setTimeMs(NOW_MS).build());
    server.answering("Claim", ClaimResponse.newBuilder().setTask(task(3, 1)).build());
    client = EntroQClient.connect(ClientConfig.to(server.address()).claimant("me").build());
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private static io.entroq.codec.wire.edge.Task task(int version, int claims) {
    return io.entroq.codec.wire.edge.Task.newBuilder()
        .setId("t")
        .setVersion(version)
        .setQueue("inbox")
        .setClaimantId("me")
        .setClaims(claims)
        .setModifiedMs(NOW_MS)
        .setAtMs(NOW_MS + 300)
        .build();
  }

  private ModifyRequest modified() {
    return (ModifyRequest) server.last("Modify");
  }

  @Test
  void shouldSendNothingThatEntroQDoesNotHave() throws Exception {
    Claim claim =
        Claim.from("inbox", "more")
            .withLimit(7)
            .withLease(LEASE)
            .withMaxWait(Duration.ofMinutes(1));
    assertThat(client.claimMany(claim)).hasSize(1);
    assertThat(client.tryClaimMany(claim)).isEmpty();
    Modification everything =
        Modification.builder()
            .insert(Insert.into("inbox").withValue("text").availableIn(LEASE).withAttempt(1, "x"))
            .insert(Insert.into("inbox").withValue(Value.bytes(new byte[] {-1})))
            .insert(Insert.into("inbox").availableAt(NOW.plusSeconds(9)))
            .change(Change.of(TASK).withValue(Value.json("[1]")).resettingClaims())
            .renew(TASK, LEASE)
            .delete(new TaskRef(TaskId.of("d"), 1, "inbox"))
            .depend(new TaskRef(TaskId.of("e"), 1, "inbox"))
            .insertDoc(DocInsert.into("users", "ann").withValue("Ann").heldFor(LEASE))
            .changeDoc(new DocChange(DOC, Arrival.in(LEASE), Value.bytes(new byte[] {-1})))
            .deleteDoc(DOC)
            .dependOnDoc(DOC)
            .renewSet(SET, LEASE)
            .dependOnSet(SET)
            .thenClaim(claim)
            .build();
    assertThat(client.modify(everything).isCommitted()).isTrue();
    client.tasks(TaskQuery.in("inbox").withLimit(3).withoutValues());
    client.forEachTask(TaskQuery.in("inbox"), task -> {});
    client.queues(QueueQuery.all());
    client.queueStats(QueueQuery.startingWith("in"));
    client.docs(DocQuery.in("users").withKey("ann").withLimit(2));
    client.claimDocs(DocClaim.of("users", "ann").and("users", "bob").withoutDocs());
    client.claimDocs(DocClaim.of("users", "ann").withTask(TASK));
    client.namespaces(NamespaceQuery.all());

    assertThat(server.requests())
        .extracting(Request::method)
        .containsExactly(
            "Time",
            "Claim",
            "TryClaim",
            "Modify",
            "TryClaim",
            "Tasks",
            "StreamTasks",
            "Queues",
            "QueueStats",
            "Docs",
            "ClaimDocs",
            "ClaimDocs",
            "NamespaceStats");
  }

  @Test
  void shouldDeclareProtocolTwoWithEveryRequestButTheFirstForTime() {
    client.modify(Modification.insert("inbox", "x")).orThrow();
    client.forEachTask(TaskQuery.in("inbox"), task -> {});

    assertThat(server.requests()).extracting(Request::protocol).containsExactly("", "2", "2");
  }

  @Test
  void shouldSayThatAServerOfProtocolOneIsTooOld() throws Exception {
    for (String protocols : List.of("", "1")) {
      try (StrictServer old = new StrictServer(protocols)) {
        assertThatThrownBy(() -> EntroQClient.connect(old.address()))
            .isInstanceOf(EntroQException.InvalidArgument.class)
            .hasMessageContaining("serves EntroQ protocol 1,")
            .hasMessageContaining("upgrade the server");
        assertThat(old.requests()).extracting(Request::method).containsExactly("Time");
      }
    }
  }

  @Test
  void shouldSendArrivalsAsDelays() {
    client
        .modify(
            Modification.insert(
                Insert.into("a").availableIn(LEASE),
                Insert.into("b"),
                Insert.into("c").availableAt(NOW.plusSeconds(60)),
                Insert.into("d").availableAt(Instant.EPOCH)))
        .orThrow();

    assertThat(modified().getInserts(0).getByMs()).isEqualTo(45_000);
    assertThat(modified().getInserts(1).getByMs()).isZero();
    assertThat(modified().getInserts(2).getByMs()).isBetween(30_000L, 60_000L);
    assertThat(modified().getInserts(3).getByMs()).as("long ago").isZero();
    assertThat(modified().getInsertsList()).allMatch(insert -> insert.getAtMs() == 0);
  }

  @Test
  void shouldSendNothingButTheArrivalWithALeaseChange() {
    server.answering(
        "Modify",
        ModifyResponse.newBuilder()
            .addChanged(task(4, 1))
            .addChangedDocs(doc("1"))
            .addChangedDocs(doc("").setLen(2))
            .build());
    ModifyResult.Committed committed =
        client
            .modify(
                Modification.builder()
                    .renew(TASK, LEASE)
                    .changeDoc(new DocChange(DOC, Arrival.now(), Value.absent()))
                    .renewSet(SET, LEASE)
                    .build())
            .orThrow();

    assertThat(modified().getChanges(0).getMode()).isEqualTo(ChangeMode.CHANGE_LEASE);
    assertThat(modified().getChanges(0).getOldId())
        .isEqualTo(TaskID.newBuilder().setId("t").setVersion(3).setQueue("inbox").build());
    assertThat(modified().getChanges(0).getNewData().getAllFields())
        .hasSize(2)
        .containsValues("inbox", 45_000L);
    assertThat(modified().getDocChanges(1).getOldId())
        .isEqualTo(DocID.newBuilder().setNamespace("users").setKey("ann").setVersion(4).build());
    assertThat(modified().getDocChanges(1).getNewData().getAllFields())
        .hasSize(1)
        .containsValue(45_000L);
    assertThat(committed.changed().get(0).version()).isEqualTo(4);
    assertThat(committed.changedDocs())
        .extracting(changed -> changed.id().id())
        .containsExactly("1");
    assertThat(committed.changedSets())
        .containsExactly(new DocSet("users", "ann", 5, "me", Instant.ofEpochMilli(NOW_MS), 2));
  }

  private static io.entroq.codec.wire.edge.Doc.Builder doc(String id) {
    return io.entroq.codec.wire.edge.Doc.newBuilder()
        .setNamespace("users")
        .setId(id)
        .setKey("ann")
        .setVersion(5)
        .setClaimant("me")
        .setAtMs(NOW_MS);
  }

  @Test
  void shouldStoreTextAsTextAndBytesAsTheJsonThatTheyHold() {
    client
        .modify(
            Modification.builder()
                .insert("a", "no \"JSON\"")
                .insert("a", Value.bytes("[1]".getBytes(StandardCharsets.UTF_8)))
                .insertDoc(DocInsert.into("users", "ann").withValue("Ann"))
                .build())
        .orThrow();

    assertThat(modified().getInserts(0).getValue().toByteArray())
        .isEqualTo(Value.json("\"no \\\"JSON\\\"\"").unwrap());
    assertThat(modified().getInserts(1).getValue().toByteArray())
        .isEqualTo(Value.json("[1]").unwrap());
    assertThat(modified().getDocInserts(0).getContent().toByteArray())
        .isEqualTo(Value.json("\"Ann\"").unwrap());
  }

  @Test
  void shouldClaimSetsUntilTheEndOfATasksLease() {
    server.answering(
        "ClaimDocs",
        ClaimDocsResponse.newBuilder().addDocs(doc("1")).addSets(doc("").setLen(1)).build());

    DocClaimResult.Claimed claimed =
        client.claimDocs(DocClaim.of("users", "ann").withTask(TASK)).claimedOrThrow();

    ClaimDocsRequest request = (ClaimDocsRequest) server.last("ClaimDocs");
    assertThat(request.getClaimQuery().getTaskToMatch().getQueue()).isEqualTo("inbox");
    assertThat(request.getClaimQuery().getDurationMs()).isZero();
    assertThat(request.getClaimQuery().getSets(0).getSet().getKey()).isEqualTo("ann");
    assertThat(claimed.docs()).extracting(claimedDoc -> claimedDoc.id().id()).containsExactly("1");
    assertThat(claimed.sets()).extracting(DocSet::docs).containsExactly(1);
  }

  @Test
  void shouldUnderstandWhichSetsAndTasksDidNotFit() {
    for (Status.Code code : List.of(Status.Code.NOT_FOUND, Status.Code.ABORTED)) {
      server.fail(
          code,
          ModifyDep.newBuilder().setType(ActionType.DETAIL).setMsg("text for people").build(),
          set(ActionType.CHANGE, 6),
          set(ActionType.CLAIM, 7),
          set(ActionType.DEPEND, 8),
          ModifyDep.newBuilder()
              .setType(ActionType.CHANGE)
              .setId(TaskID.newBuilder().setId("t").setVersion(3).setQueue("inbox"))
              .build());
      ModifyResult.DependencyFailure failure =
          (ModifyResult.DependencyFailure) client.modify(Modification.renew(TASK, LEASE));
      assertThat(failure.changes()).containsExactly(TASK.ref());
      assertThat(failure.docs().setChanges()).containsExactly(new DocSet.Ref("users", "ann", 6));
      assertThat(failure.docs().setClaims()).containsExactly(new DocSet.Ref("users", "ann", 7));
      assertThat(failure.docs().setDepends()).containsExactly(new DocSet.Ref("users", "ann", 8));

      server.fail(code, set(ActionType.CLAIM, 7));
      assertThat(client.claimDocs(DocClaim.of("users", "ann")))
          .isEqualTo(
              new DocClaimResult.Held(List.of(new DocSet.Ref("users", "ann", 7)), List.of()));
      server.fail(
          code,
          ModifyDep.newBuilder()
              .setType(ActionType.DEPEND)
              .setId(TaskID.newBuilder().setId("t").setVersion(3).setQueue("inbox"))
              .build());
      assertThat(client.claimDocs(DocClaim.of("users", "ann").withTask(TASK)))
          .isEqualTo(new DocClaimResult.TaskLost(TASK.ref()));
    }
  }

  private static ModifyDep set(ActionType type, int version) {
    return ModifyDep.newBuilder()
        .setType(type)
        .setDocId(DocID.newBuilder().setNamespace("users").setKey("ann").setVersion(version))
        .build();
  }

  @Test
  void shouldRenewTheLeasesOfWorkers() throws Exception {
    server.answering("Modify", ModifyResponse.newBuilder().addChanged(task(4, 1)).build());
    // For the first task only: the server gives the same one to each claim.
    Semaphore go = new Semaphore(0);
    try (Worker worker =
        Worker.on(client)
            .from("inbox")
            .claimWithCommit(false)
            .start(
                work -> {
                  go.acquire();
                  return Outcome.retry("it rains");
                })) {
      awaitModify(ChangeMode.CHANGE_LEASE);
      go.release();
      assertThat(awaitModify(ChangeMode.CHANGE_RESET_CLAIMS).getChanges(0).getNewData().getErr())
          .isEqualTo("it rains");
      assertThat(worker.metrics().lost()).isZero();
    }
  }

  private ModifyRequest awaitModify(ChangeMode mode) throws InterruptedException {
    while (true) {
      Optional<ModifyRequest> sent =
          server.requests().stream()
              .filter(request -> request.method().equals("Modify"))
              .map(request -> (ModifyRequest) request.message())
              .filter(request -> request.getChanges(0).getMode() == mode)
              .findFirst();
      if (sent.isPresent()) {
        return sent.get();
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }
}
