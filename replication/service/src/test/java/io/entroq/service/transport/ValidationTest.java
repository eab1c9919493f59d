package io.entroq.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.google.protobuf.Value;
import io.entroq.codec.wire.published.v1.ChangeMode;
import io.entroq.codec.wire.published.v1.ClaimDocsRequest;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.DocChange;
import io.entroq.codec.wire.published.v1.DocClaim;
import io.entroq.codec.wire.published.v1.DocData;
import io.entroq.codec.wire.published.v1.DocID;
import io.entroq.codec.wire.published.v1.DocQuery;
import io.entroq.codec.wire.published.v1.DocSetClaim;
import io.entroq.codec.wire.published.v1.DocsRequest;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.TaskChange;
import io.entroq.codec.wire.published.v1.TaskData;
import io.entroq.codec.wire.published.v1.TaskID;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.V1Docs;
import io.grpc.Status;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every malformed request of the v1 API is refused in the words that clients know, by each way and
 * under each protocol for which it is malformed. Nothing changes, and the server goes on.
 */
class ValidationTest {
  private static final Set<Transport> WAYS = EnumSet.complementOf(EnumSet.of(Transport.V0));
  private static final String TWICE = " appears in more than one operation of the modification";
  private static final String ONE = ", and the request declares protocol 1";
  private static final String INSTANT =
      " names an arrival instant in at_ms: protocol 2 sends by_ms, a duration the server resolves"
          + " on its own clock";

  private static ServedTransports undeclared;
  private static ServedTransports one;
  private static ServedTransports two;
  private static V1 v1;
  private static V1Docs docs;

  /** For which declarations a request is malformed. */
  private enum Under {
    EACH,
    ONE,
    TWO
  }

  private record Malformed(
      TransportRequest request, Under under, Status.Code code, String message) {
    List<ServedTransports> doors() {
      return switch (under) {
        case EACH -> List.of(undeclared, one, two);
        case ONE -> List.of(undeclared, one);
        case TWO -> List.of(two);
      };
    }

    @Override
    public String toString() {
      return message;
    }
  }

  @BeforeAll
  static void open() throws IOException {
    undeclared = new ServedTransports();
    one = undeclared.declaring("1");
    two = undeclared.declaring("2");
    v1 = new V1(undeclared.client);
    docs = new V1Docs(undeclared.client);
    v1.insert("q", "x");
    docs.insert(V1Docs.data("ns", "k", "s").setId("d"));
  }

  @AfterAll
  static void close() {
    two.close();
    one.close();
    undeclared.close();
  }

  // 3.3 and 3.4

  static List<Malformed> modes() {
    return List.of(
        modify(
            Under.ONE,
            "change of task x: mode CHANGE_LEASE is protocol 2" + ONE,
            modify().addChanges(change().setMode(ChangeMode.CHANGE_LEASE))),
        modify(
            Under.ONE,
            "change of task x: mode CHANGE_RESET_CLAIMS is protocol 2" + ONE,
            modify().addChanges(change().setMode(ChangeMode.CHANGE_RESET_CLAIMS))),
        modify(
            Under.ONE,
            "change of doc d: mode CHANGE_RESET_CLAIMS is protocol 2" + ONE,
            modify().addDocChanges(docChange().setMode(ChangeMode.CHANGE_RESET_CLAIMS))),
        modify(
            Under.ONE,
            "change of doc k: mode CHANGE_LEASE is protocol 2" + ONE,
            modify().addDocChanges(lease())),
        modify(
            Under.ONE,
            "change of task x: mode CHANGE_TAKE_BACK is protocol 2" + ONE,
            modify().addChanges(takeBack())),
        modify(
            Under.TWO,
            "change of task x takes it back, so it is available at once: leave out by_ms and at_ms",
            modify().addChanges(takeBack().setNewData(TaskData.newBuilder().setByMs(-1)))),
        modify(
            Under.TWO,
            "change of task x takes it back, so it is available at once: leave out by_ms and at_ms",
            modify().addChanges(takeBack().setNewData(TaskData.newBuilder().setAtMs(1)))),
        modify(
            Under.TWO,
            "lease of task x may set only its arrival time",
            modify().addChanges(takeBack().setNewData(TaskData.newBuilder().setAttempt(1)))),
        modify(
            Under.TWO,
            "arrival of task \"x\" cannot move it",
            modify().addChanges(takeBack().setNewData(insert("other")))),
        modify(
            Under.TWO,
            "change of doc d: only tasks can be taken back",
            modify().addDocChanges(docChange().setMode(ChangeMode.CHANGE_TAKE_BACK))),
        modify(
            Under.EACH,
            "change of task x: mode 7 is unknown",
            modify().addChanges(change().setModeValue(7))),
        modify(
            Under.EACH,
            "change of doc d: mode 7 is unknown",
            modify().addDocChanges(docChange().setModeValue(7))),
        modify(
            Under.TWO,
            "change of doc d: a doc has no claim count to reset",
            modify().addDocChanges(docChange().setMode(ChangeMode.CHANGE_RESET_CLAIMS))));
  }

  static List<Malformed> missingParts() {
    return List.of(
        modify(
            Under.EACH,
            "task change names no task",
            modify().addChanges(TaskChange.newBuilder().setNewData(TaskData.newBuilder()))),
        modify(
            Under.EACH,
            "task change names no task",
            modify().addChanges(change().setOldId(TaskID.newBuilder().setQueue("q")))),
        modify(
            Under.EACH,
            "change of task x carries no data",
            modify().addChanges(change().clearNewData())),
        modify(
            Under.EACH,
            "task delete names no task",
            modify().addDeletes(TaskID.newBuilder().setQueue("q"))),
        modify(
            Under.EACH,
            "task depend names no task",
            modify().addDepends(TaskID.newBuilder().setQueue("q"))),
        modify(
            Under.EACH,
            "delete of task x: version -1 is negative",
            modify().addDeletes(ref().setVersion(-1))),
        modify(
            Under.EACH,
            "doc change names no doc",
            modify().addDocChanges(docChange().clearOldId())),
        modify(
            Under.EACH,
            "change of doc d carries no data",
            modify().addDocChanges(docChange().clearNewData())),
        modify(
            Under.EACH,
            "doc delete names no doc",
            modify().addDocDeletes(DocID.newBuilder().setNamespace("ns"))),
        modify(
            Under.EACH,
            "doc delete names no doc",
            modify().addDocDeletes(DocID.newBuilder().setNamespace("ns").setId(""))),
        modify(
            Under.EACH,
            "doc depend names no doc",
            modify().addDocDepends(DocID.newBuilder().setNamespace("ns"))),
        modify(
            Under.EACH,
            "depend of doc d: version -1 is negative",
            modify().addDocDepends(docRef().setVersion(-1))));
  }

  // 3.5

  static List<Malformed> taskLeases() {
    String arrivalOnly = "lease of task x may set only its arrival time";
    Value value = Value.newBuilder().setBoolValue(true).build();
    return List.of(
        modify(
            Under.TWO,
            "arrival of task \"x\" must name its queue",
            modify().addChanges(taskLease().setOldId(ref().clearQueue()))),
        modify(
            Under.TWO,
            "arrival of task \"x\" cannot move it",
            modify().addChanges(taskLease().setNewData(TaskData.newBuilder().setQueue("other")))),
        modify(Under.TWO, arrivalOnly, taskLease(TaskData.newBuilder().setValue(value))),
        modify(Under.TWO, arrivalOnly, taskLease(TaskData.newBuilder().setAttempt(1))),
        modify(Under.TWO, arrivalOnly, taskLease(TaskData.newBuilder().setErr("e"))),
        modify(Under.TWO, arrivalOnly, taskLease(TaskData.newBuilder().setId("x"))));
  }

  static List<Malformed> setLeases() {
    String arrivalOnly = "lease of doc set \"k\" in namespace \"ns\" may set only its arrival time";
    Value value = Value.newBuilder().setBoolValue(true).build();
    return List.of(
        modify(
            Under.TWO,
            "doc lease names a doc by ID; name its set by key",
            modify().addDocChanges(lease().setOldId(docRef()))),
        modify(
            Under.TWO,
            "doc lease names no set",
            modify().addDocChanges(lease().setOldId(DocID.newBuilder().setNamespace("ns")))),
        modify(
            Under.TWO,
            "doc lease names a set, which has no secondary key",
            modify().addDocChanges(lease().setOldId(set().setSecondaryKey("s")))),
        modify(
            Under.TWO,
            "doc change cannot move namespaces: \"ns\" -> \"b\"",
            docLease(DocData.newBuilder().setNamespace("b"))),
        modify(Under.TWO, arrivalOnly, docLease(DocData.newBuilder().setKey("other"))),
        modify(Under.TWO, arrivalOnly, docLease(DocData.newBuilder().setSecondaryKey("s"))),
        modify(Under.TWO, arrivalOnly, docLease(DocData.newBuilder().setId("d"))),
        modify(Under.TWO, arrivalOnly, docLease(DocData.newBuilder().setContent(value))),
        modify(
            Under.TWO,
            "doc set \"k\" in namespace \"ns\"" + TWICE,
            modify().addDocChanges(lease()).addDocChanges(lease())),
        modify(
            Under.TWO,
            "doc set \"k\" in namespace \"ns\"" + TWICE,
            modify().addDocChanges(lease()).addDocDepends(set())));
  }

  // 3.6

  static List<Malformed> modifies() {
    return List.of(
        modify(Under.EACH, "nothing to do", modify()),
        modify(
            Under.EACH,
            "insert of task \"y\" must name a queue",
            modify().addInserts(TaskData.newBuilder().setId("y"))),
        modify(
            Under.EACH,
            "insert of task \"\" must name a queue",
            modify().addInserts(insert("q")).addInserts(TaskData.newBuilder())),
        modify(
            Under.EACH,
            "insert of doc \"y\" must name a namespace",
            modify().addDocInserts(DocData.newBuilder().setId("y").setKey("k"))),
        malformed(
            "Modify",
            Under.EACH,
            Status.Code.UNIMPLEMENTED,
            "modify: doc change naming a doc by key is not supported yet",
            modify().addDocChanges(docChange().setOldId(set()))),
        malformed(
            "Modify",
            Under.EACH,
            Status.Code.UNIMPLEMENTED,
            "modify: doc delete naming a doc by key is not supported yet",
            modify().addDocDeletes(set())),
        modify(
            Under.ONE,
            "doc depend names a set by key, which is protocol 2" + ONE,
            modify().addDocDepends(set())),
        modify(
            Under.TWO,
            "doc depend names a set, which has no secondary key",
            modify().addDocDepends(set().setSecondaryKey("s"))),
        modify(
            Under.TWO,
            "doc depend names no doc or set",
            modify().addDocDepends(DocID.newBuilder().setNamespace("ns").setKey(""))),
        modify(
            Under.EACH,
            "doc change cannot move namespaces: \"ns\" -> \"b\"",
            modify().addDocChanges(docChange().setNewData(DocData.newBuilder().setNamespace("b")))),
        modify(
            Under.EACH,
            "then_claim: claim must name at least one queue",
            modify().addInserts(insert("q")).setThenClaim(ClaimRequest.newBuilder())),
        modify(
            Under.EACH,
            "then_claim: claim duration must be positive, got -1ms",
            modify()
                .addInserts(insert("q"))
                .setThenClaim(ClaimRequest.newBuilder().addQueues("q").setDurationMs(-1))));
  }

  static List<Malformed> duplicates() {
    String task = "task \"x\"" + TWICE;
    String doc = "doc \"d\" in namespace \"ns\"" + TWICE;
    TaskData.Builder insert = insert("q").setId("x");
    DocData.Builder place = DocData.newBuilder().setNamespace("ns").setKey("p");
    return List.of(
        modify(Under.EACH, task, modify().addInserts(insert).addInserts(insert)),
        modify(Under.EACH, task, modify().addInserts(insert).addDeletes(ref())),
        modify(Under.EACH, task, modify().addInserts(insert).addChanges(change())),
        modify(Under.EACH, task, modify().addChanges(change()).addChanges(change())),
        modify(Under.EACH, task, modify().addChanges(change()).addDeletes(ref())),
        modify(Under.EACH, task, modify().addDeletes(ref()).addDeletes(ref().setVersion(3))),
        modify(Under.EACH, task, modify().addDeletes(ref()).addDepends(ref())),
        modify(Under.EACH, task, modify().addDepends(ref()).addDepends(ref())),
        modify(Under.TWO, task, modify().addChanges(taskLease()).addDeletes(ref())),
        modify(
            Under.EACH,
            doc,
            modify().addDocInserts(place.clone().setId("d")).addDocDeletes(docRef())),
        modify(Under.EACH, doc, modify().addDocChanges(docChange()).addDocDeletes(docRef())),
        modify(Under.EACH, doc, modify().addDocDeletes(docRef()).addDocDepends(docRef())),
        modify(
            Under.TWO,
            "doc set \"k\" in namespace \"ns\" appears in more than one operation of the"
                + " modification",
            modify().addDocChanges(lease()).addDocDepends(set())),
        modify(
            Under.EACH,
            "doc of key \"p\" and secondary key \"\" in namespace \"ns\"" + TWICE,
            modify().addDocInserts(place.clone().setId("e")).addDocInserts(place)));
  }

  // 3.2

  static List<Malformed> instants() {
    return List.of(
        modify(
            Under.TWO,
            "insert of task \"y\"" + INSTANT,
            modify().addInserts(insert("q").setId("y").setAtMs(1))),
        modify(
            Under.TWO,
            "change of task \"x\"" + INSTANT,
            modify().addChanges(change().setNewData(insert("q").setAtMs(1)))),
        modify(
            Under.TWO,
            "change of task \"x\"" + INSTANT,
            taskLease(TaskData.newBuilder().setAtMs(1))),
        modify(
            Under.TWO,
            "insert of doc \"y\"" + INSTANT,
            modify().addDocInserts(DocData.newBuilder().setNamespace("ns").setId("y").setAtMs(1))),
        modify(
            Under.TWO,
            "change of doc \"d\"" + INSTANT,
            modify().addDocChanges(docChange().setNewData(DocData.newBuilder().setAtMs(1)))),
        modify(
            Under.TWO, "change of doc \"k\"" + INSTANT, docLease(DocData.newBuilder().setAtMs(1))));
  }

  // 3.8

  static List<Malformed> claims() {
    return List.of("Claim", "TryClaim").stream()
        .flatMap(
            method -> {
              String prefix = method.equals("Claim") ? "claim: " : "try claim: ";
              return List.of(
                  malformed(
                      method,
                      Under.EACH,
                      prefix + "claim must name at least one queue",
                      V1.claim("me")),
                  malformed(
                      method,
                      Under.EACH,
                      prefix + "claim must name a claimant",
                      V1.claim("", "none")),
                  malformed(
                      method,
                      Under.EACH,
                      prefix + "claim duration must be positive, got -1ms",
                      V1.claim("me", "none").setDurationMs(-1)),
                  malformed(
                      method,
                      Under.EACH,
                      prefix + "claimant is 65 bytes, limit is 64",
                      V1.claim("c".repeat(65), "none")))
                  .stream();
            })
        .toList();
  }

  // 3.9

  static List<Malformed> docClaims() {
    String unnamed = "doc claim must name a doc set";
    return List.of(
        docClaim(Under.EACH, unnamed, DocClaim.newBuilder().setClaimant("me")),
        malformed("ClaimDocs", Under.EACH, "claim docs: " + unnamed, ClaimDocsRequest.newBuilder()),
        docClaim(Under.EACH, unnamed, claimOf("", "k")),
        docClaim(Under.EACH, unnamed, claimOf("ns", "")),
        docClaim(Under.EACH, "doc claim must name a claimant", claimOf("ns", "k").setClaimant("")),
        docClaim(
            Under.EACH,
            "claim duration must be positive, got -1ms",
            claimOf("ns", "k").setDurationMs(-1)),
        docClaim(Under.ONE, "sets are protocol 2" + ONE, sets(set())),
        docClaim(
            Under.TWO,
            "a doc set is named by its key, not a doc ID",
            sets(DocID.newBuilder().setNamespace("ns").setId("d"))),
        docClaim(
            Under.TWO,
            "a doc set is named by its key alone, not a secondary key",
            sets(set().setSecondaryKey("s"))),
        docClaim(
            Under.TWO,
            "a doc set is named by its namespace and key, got key \"\" in \"ns\"",
            sets(DocID.newBuilder().setNamespace("ns"))),
        docClaim(
            Under.TWO,
            "a doc set is named by its namespace and key, got key \"k\" in \"\"",
            sets(set().clearNamespace())),
        docClaim(
            Under.TWO,
            "doc claim names set \"k\" in \"ns\" more than once",
            sets(set(), set().setVersion(3))),
        docClaim(
            Under.ONE,
            "task_to_match is protocol 2" + ONE,
            claimOf("ns", "k").setTaskToMatch(ref().setVersion(1))),
        docClaim(
            Under.TWO,
            "task_to_match must name id, version and queue, got id \"x\", version 0 and queue"
                + " \"q\"",
            sets(set()).setTaskToMatch(ref())),
        docClaim(
            Under.TWO,
            "task_to_match must name id, version and queue, got id \"x\", version 1 and queue"
                + " \"\"",
            sets(set()).setTaskToMatch(ref().setVersion(1).clearQueue())),
        docClaim(
            Under.TWO,
            "task_to_match must name id, version and queue, got id \"\", version 1 and queue \"q\"",
            sets(set()).setTaskToMatch(ref().setVersion(1).clearId())));
  }

  // 3.11

  static List<Malformed> queries() {
    return List.of(
        malformed(
            "Tasks",
            Under.EACH,
            "tasks: tasks query must name a queue or task ids",
            TasksRequest.newBuilder().setClaimantId("me")),
        malformed(
            "Docs",
            Under.EACH,
            "docs: docs query must name a namespace",
            DocsRequest.newBuilder().setQuery(DocQuery.newBuilder().setLimit(1))),
        malformed(
            "Docs",
            Under.EACH,
            "docs: docs query must name a namespace",
            DocsRequest.newBuilder().setQuery(DocQuery.newBuilder().addIds("d"))));
  }

  /** In bytes, not in characters: an é has two. */
  static List<Malformed> lengths() {
    DocData.Builder doc = DocData.newBuilder().setNamespace("ns");
    return List.of(
        modify(
            Under.EACH,
            "claimant is 65 bytes, limit is 64",
            modify().setClaimantId("c".repeat(65)).addInserts(insert("q"))),
        modify(
            Under.EACH,
            "task id is 66 bytes, limit is 64",
            modify().addInserts(insert("q").setId("é".repeat(33)))),
        modify(
            Under.EACH,
            "task id is 65 bytes, limit is 64",
            modify().addChanges(change().setOldId(ref().setId("t".repeat(65))))),
        modify(
            Under.EACH,
            "doc id is 65 bytes, limit is 64",
            modify().addDocInserts(doc.clone().setId("d".repeat(65)))),
        modify(
            Under.EACH,
            "doc id is 65 bytes, limit is 64",
            modify().addDocChanges(docChange().setOldId(docRef().setId("d".repeat(65))))),
        modify(
            Under.EACH,
            "doc key is 257 bytes, limit is 256",
            modify()
                .addDocChanges(
                    docChange().setNewData(DocData.newBuilder().setKey("k".repeat(257))))),
        modify(
            Under.EACH,
            "doc namespace is 1025 bytes, limit is 1024",
            modify().addDocInserts(doc.clone().setNamespace("n".repeat(1_023) + "é"))),
        modify(
            Under.EACH,
            "doc key is 257 bytes, limit is 256",
            modify().addDocInserts(doc.clone().setKey("€".repeat(85) + "ab"))),
        modify(
            Under.EACH,
            "doc secondary key is 260 bytes, limit is 256",
            modify().addDocInserts(doc.clone().setSecondaryKey("\uD83D\uDE00".repeat(65)))),
        docClaim(
            Under.EACH,
            "claimant is 65 bytes, limit is 64",
            claimOf("ns", "k").setClaimant("c".repeat(65))),
        docClaim(
            Under.EACH,
            "doc namespace is 1025 bytes, limit is 1024",
            claimOf("n".repeat(1_025), "k")),
        docClaim(Under.EACH, "doc key is 257 bytes, limit is 256", claimOf("ns", "k".repeat(257))),
        docClaim(
            Under.TWO, "doc key is 257 bytes, limit is 256", sets(set().setKey("k".repeat(257)))));
  }

  @ParameterizedTest
  @MethodSource({
    "modes",
    "missingParts",
    "taskLeases",
    "setLeases",
    "modifies",
    "duplicates",
    "instants",
    "claims",
    "docClaims",
    "queries",
    "lengths"
  })
  void shouldBeRefusedByEachWay(Malformed malformed) {
    List<Object> before = Contents.of(v1, docs);
    int asked = 0;
    for (ServedTransports doors : malformed.doors()) {
      for (Transport way : WAYS) {
        Optional<TransportAnswer> answer = way.ask(doors, malformed.request);
        if (answer.isPresent()) {
          asked++;
          assertThat(answer.get())
              .as("%s", way)
              .isEqualTo(new TransportAnswer(malformed.code, malformed.message));
        }
      }
    }
    assertThat(asked).isGreaterThanOrEqualTo(3);
    assertThat(Contents.of(v1, docs)).isEqualTo(before);
  }

  /** What is at a limit is not over it. */
  @ParameterizedTest
  @MethodSource("longest")
  void shouldAcceptTheLongestNames(ModifyRequest request) {
    for (Transport way : WAYS) {
      ModifyRequest.Builder delete = modify().setClaimantId(request.getClaimantId());
      assertThat(way.ask(two, new TransportRequest("Modify", request)))
          .as("%s", way)
          .contains(TransportAnswer.OK);
      if (request.getInsertsCount() > 0) {
        delete.addDeletes(V1.ref(v1.task(request.getInserts(0).getId())));
      } else {
        DocData doc = request.getDocInserts(0);
        delete.addDocDeletes(V1Docs.ref(docs.doc(doc.getNamespace(), doc.getId())));
      }
      v1.modify(delete);
    }
  }

  static List<ModifyRequest> longest() {
    return List.of(
        modify()
            .setClaimantId("é".repeat(32))
            .addInserts(insert("q").setId("t".repeat(64)))
            .build(),
        modify()
            .addDocInserts(
                DocData.newBuilder()
                    .setNamespace("n".repeat(1_024))
                    .setId("d".repeat(64))
                    .setKey("k".repeat(256))
                    .setSecondaryKey("s".repeat(256)))
            .build());
  }

  /** What stores no name may have any: then only its dependencies fail, or nothing does. */
  @Test
  void shouldNotBoundTheNamesOfDeletesAndDepends() {
    String name = "x".repeat(65);
    for (Transport way : WAYS) {
      v1.modify(modify().addInserts(insert("q").setId("short-" + way)));
      assertThat(
              way.ask(
                  two,
                  TransportRequest.of(
                      "Modify",
                      modify().setClaimantId(name).addDeletes(V1.ref(v1.task("short-" + way))))))
          .as("claimant, %s", way)
          .contains(TransportAnswer.OK);
      ModifyRequest.Builder missing = modify().addDepends(ref().setId(name));
      assertThat(way.ask(two, TransportRequest.of("Modify", missing)).orElseThrow().code())
          .as("id, %s", way)
          .isNotIn(Status.Code.OK, Status.Code.INVALID_ARGUMENT);
    }
  }

  private static Malformed modify(Under under, String message, ModifyRequest.Builder request) {
    return malformed("Modify", under, "modify: " + message, request);
  }

  private static Malformed docClaim(Under under, String message, DocClaim.Builder claim) {
    return malformed(
        "ClaimDocs",
        under,
        "claim docs: " + message,
        ClaimDocsRequest.newBuilder().setClaimQuery(claim));
  }

  private static Malformed malformed(
      String method, Under under, String message, Message.Builder request) {
    return malformed(method, under, Status.Code.INVALID_ARGUMENT, message, request);
  }

  private static Malformed malformed(
      String method, Under under, Status.Code code, String message, Message.Builder request) {
    return new Malformed(TransportRequest.of(method, request), under, code, message);
  }

  private static ModifyRequest.Builder modify() {
    return ModifyRequest.newBuilder().setClaimantId("me");
  }

  private static TaskData.Builder insert(String queue) {
    return TaskData.newBuilder().setQueue(queue);
  }

  private static TaskID.Builder ref() {
    return TaskID.newBuilder().setId("x").setQueue("q");
  }

  private static TaskChange.Builder change() {
    return TaskChange.newBuilder().setOldId(ref()).setNewData(insert("q"));
  }

  private static TaskChange.Builder taskLease() {
    return TaskChange.newBuilder()
        .setOldId(ref())
        .setNewData(TaskData.newBuilder().setByMs(1_000))
        .setMode(ChangeMode.CHANGE_LEASE);
  }

  private static TaskChange.Builder takeBack() {
    return TaskChange.newBuilder()
        .setOldId(ref())
        .setNewData(TaskData.newBuilder())
        .setMode(ChangeMode.CHANGE_TAKE_BACK);
  }

  private static ModifyRequest.Builder taskLease(TaskData.Builder data) {
    return modify().addChanges(taskLease().setNewData(data));
  }

  private static DocID.Builder docRef() {
    return DocID.newBuilder().setNamespace("ns").setId("d");
  }

  private static DocID.Builder set() {
    return DocID.newBuilder().setNamespace("ns").setKey("k");
  }

  private static DocChange.Builder docChange() {
    return DocChange.newBuilder().setOldId(docRef()).setNewData(DocData.newBuilder());
  }

  private static DocChange.Builder lease() {
    return DocChange.newBuilder()
        .setOldId(set())
        .setNewData(DocData.newBuilder().setByMs(1_000))
        .setMode(ChangeMode.CHANGE_LEASE);
  }

  private static ModifyRequest.Builder docLease(DocData.Builder data) {
    return modify().addDocChanges(lease().setNewData(data));
  }

  private static DocClaim.Builder claimOf(String namespace, String key) {
    return DocClaim.newBuilder().setNamespace(namespace).setKey(key).setClaimant("me");
  }

  private static DocClaim.Builder sets(DocID.Builder... sets) {
    DocClaim.Builder claim = DocClaim.newBuilder().setClaimant("me");
    for (DocID.Builder set : sets) {
      claim.addSets(DocSetClaim.newBuilder().setSet(set));
    }
    return claim;
  }
}
