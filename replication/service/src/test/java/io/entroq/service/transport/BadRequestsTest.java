package io.entroq.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.ListValue;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.Value;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.Doc;
import io.entroq.codec.wire.published.v1.DocData;
import io.entroq.codec.wire.published.v1.DocID;
import io.entroq.codec.wire.published.v1.DocQuery;
import io.entroq.codec.wire.published.v1.DocsRequest;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.NamespacesRequest;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.codec.wire.published.v1.TaskChange;
import io.entroq.codec.wire.published.v1.TaskData;
import io.entroq.codec.wire.published.v1.TaskID;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.service.authorization.Authorization;
import io.entroq.service.authorization.AuthorizationConfig;
import io.entroq.service.authorization.FakeOpa;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.V1Docs;
import io.grpc.Status;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is wrong is refused by a message that names the field, in the same words by whichever way it
 * comes; nothing changes, and the server lives. Contract 2.4.7 and 5.2.
 */
class BadRequestsTest {
  /** Names for which the older API has room, too. */
  private static final String ME = "a0000000-0000-4000-8000-00000000000a";

  private static final String TASK_ID = "12345678-9abc-4def-8123-456789abcdef";
  private static final String NEW_ID = "b0000000-0000-4000-8000-00000000000b";

  /** One byte longer than it may be. */
  private static final String LONG = "x".repeat(1_023) + "é";

  private static final ByteString CLIENT = ByteString.copyFromUtf8("0123456789abcdef");
  private static final Set<Transport> ALL = EnumSet.allOf(Transport.class);
  private static final Set<Transport> OLDER = EnumSet.of(Transport.V0);
  private static final Set<Transport> NEWER = EnumSet.complementOf(EnumSet.of(Transport.V0));

  /** Readers of JSON refuse it before anybody looks at the request. */
  private static final Set<Transport> BINARY =
      EnumSet.of(Transport.V1, Transport.CONNECT_PROTO, Transport.STREAM);

  private static final FakeOpa OPA =
      new FakeOpa(input -> JsonMapper.builder().build().createObjectNode().put("allow", false));

  private static ServedTransports doors;
  private static Authorization nothingAllowed;
  private static ServedTransports denying;
  private static V1 v1;
  private static V1Docs docs;

  /** A request and what is said of it. */
  private record Bad(
      String name, TransportRequest request, Set<Transport> ways, List<String> words) {
    @Override
    public String toString() {
      return name;
    }
  }

  @BeforeAll
  static void open() throws IOException {
    nothingAllowed =
        Authorization.of(
            new AuthorizationConfig(
                AuthorizationConfig.Mode.OPAHTTP,
                OPA.url(),
                AuthorizationConfig.PATH_DEFAULT,
                AuthorizationConfig.TIMEOUT_DEFAULT,
                false,
                true));
    denying = new ServedTransports(nothingAllowed::guard, Optional.empty());
    doors = new ServedTransports();
    v1 = new V1(doors.client);
    docs = new V1Docs(doors.client);
    v1.insert("q", TASK_ID);
    docs.insert(V1Docs.data("n", "k", "s").setId("d"));
  }

  @AfterAll
  static void close() {
    doors.close();
    denying.close();
    nothingAllowed.close();
    OPA.close();
  }

  static List<Bad> olderTasksTwice() {
    TaskData.Builder made = data("q").setId(NEW_ID);
    return List.of(
        older("delete twice", modify().addDeletes(ref()).addDeletes(ref()), "deletes[1]", "twice"),
        older(
            "delete, depend", modify().addDeletes(ref()).addDepends(ref()), "depends[0]", "twice"),
        older("depend twice", modify().addDepends(ref()).addDepends(ref()), "depends[1]", "twice"),
        older(
            "change twice",
            modify().addChanges(change()).addChanges(change()),
            "changes[1]",
            "twice"),
        older(
            "change, delete",
            modify().addChanges(change()).addDeletes(ref()),
            "deletes[0]",
            "twice"),
        older(
            "change, depend",
            modify().addChanges(change()).addDepends(ref()),
            "depends[0]",
            "twice"),
        older(
            "insert twice",
            modify().addInserts(made).addInserts(made.clone().setQueue("r")),
            "inserts[1]",
            "twice"));
  }

  static List<Bad> olderTaskFields() {
    TaskID.Builder nobody = TaskID.newBuilder().setQueue("q");
    TaskChange.Builder move = change();
    move.getNewDataBuilder().setQueue("");
    TaskChange.Builder early = change();
    early.getOldIdBuilder().setVersion(-1);
    return List.of(
        older("queue empty", modify().addInserts(data("")), "inserts[0].queue"),
        older(
            "one queue empty",
            modify().addInserts(data("q")).addInserts(data("")),
            "inserts[1].queue"),
        older("moved to no queue", modify().addChanges(move), "changes[0].new_data.queue"),
        older(
            "no old id",
            modify().addChanges(change().clearOldId()),
            "changes[0].old_id",
            "missing"),
        older(
            "no new data",
            modify().addChanges(change().clearNewData()),
            "changes[0].new_data: missing"),
        older("nobody deleted", modify().addDeletes(nobody), "deletes[0].id"),
        older("nobody depended on", modify().addDepends(nobody), "depends[0].id"),
        older(
            "nobody changed",
            modify().addChanges(change().setOldId(nobody)),
            "changes[0].old_id.id"),
        older(
            "version negative",
            modify().addDeletes(ref().setVersion(-1)),
            "deletes[0].version",
            "-1"),
        older("depend negative", modify().addDepends(ref().setVersion(-1)), "depends[0].version"),
        older("change negative", modify().addChanges(early), "changes[0].old_id.version"),
        older("queue long", modify().addInserts(data(LONG)), "inserts[0].queue", "1025", "1024"),
        older("insert id long", modify().addInserts(data("q").setId(LONG)), "inserts[0].id"),
        older("claimant long", modify().setClaimantId(LONG).addInserts(data("q")), "claimant_id"),
        older("delete long", modify().addDeletes(ref().setQueue(LONG)), "deletes[0].queue", "1025"),
        older("depend long", modify().addDepends(ref().setId(LONG)), "depends[0].id"));
  }

  static List<Bad> values() {
    Value deep = Value.newBuilder().setStringValue("x").build();
    for (int i = 0; i < 101; i++) {
      deep = Value.newBuilder().setListValue(ListValue.newBuilder().addValues(deep)).build();
    }
    ModifyRequest.Builder longer = modify();
    for (int i = 0; i < 9; i++) {
      longer.addInserts(data("q").setValue(text(1_000_000)));
    }
    return List.of(
        bad("value deep", insert(deep), BINARY, "inserts[0].value", "nested"),
        bad("not a number", insert(number(Double.NaN)), NEWER, "inserts[0].value"),
        bad("infinite", insert(number(Double.NEGATIVE_INFINITY)), NEWER, "inserts[0].value"),
        bad(
            "no kind",
            insert(Value.getDefaultInstance()),
            NEWER,
            "inserts[0].value",
            "without a kind"),
        bad("not UTF-8", insert(raw(3, "\u00ff")), BINARY, "inserts[0].value", "UTF-8"),
        bad("cut off", insert(raw(6, "\n\u007f")), BINARY, "inserts[0].value", "truncated"),
        bad("value long", insert(text(1 << 20)), "inserts[0].value", "1048580", "1048576"),
        bad(
            "two values",
            modify().addInserts(data("q").setValue(number(1)).setRaw(ByteString.copyFromUtf8("x"))),
            NEWER,
            "inserts[0].raw"),
        bad("command long", longer, "--command-bytes-max"));
  }

  static List<Bad> claims() {
    List<Bad> claims = new ArrayList<>();
    claims.add(bad("Claim", "no queues", V1.claim(ME), OLDER, "no queues specified for claim"));
    claims.add(
        bad("TryClaim", "no queues", V1.claim(ME), OLDER, "no queues specified for try claim"));
    for (String method : List.of("TryClaim", "Claim")) {
      claims.add(bad(method, "queue long", V1.claim(ME, "q", LONG), ALL, "queues[1]", "1025"));
      for (long lease : new long[] {-1, Long.MIN_VALUE}) {
        claims.add(
            bad(
                method,
                "lease " + lease,
                V1.claim(ME, "q").setDurationMs(lease),
                OLDER,
                "duration_ms",
                Long.toString(lease)));
      }
      for (int limit : new int[] {-1, 1_001}) {
        claims.add(
            bad(
                method,
                "limit " + limit,
                V1.claim(ME, "q").setLimit(limit),
                NEWER,
                "limit: " + limit,
                "1000"));
      }
      claims.add(
          bad(
              method,
              "many queues",
              V1.claim(ME)
                  .addAllQueues(IntStream.rangeClosed(0, 1_000).mapToObj(i -> "q" + i).toList()),
              ALL,
              "queues",
              "1000"));
      claims.add(bad(method, "claimant long", V1.claim(LONG, "q"), OLDER, "claimant_id"));
    }
    claims.add(
        bad("Claim", "deadline", V1.claim(ME, "q").setDeadlineMs(-1), NEWER, "deadline_ms", "-1"));
    return claims;
  }

  static List<Bad> identities() {
    ClaimRequest.Builder claim = V1.claim(ME, "none");
    return List.of(
        bad("TryClaim", "no client", claim.clone().setRequestNumber(1), NEWER, "client_id"),
        bad(
            "TryClaim",
            "short client",
            claim.clone().setClientId(ByteString.copyFromUtf8("short")).setRequestNumber(1),
            NEWER,
            "client_id"),
        bad(
            "TryClaim",
            "zero client",
            claim.clone().setClientId(ByteString.copyFrom(new byte[16])).setRequestNumber(1),
            NEWER,
            "client_id"),
        bad("TryClaim", "no number", claim.clone().setClientId(CLIENT), NEWER, "request_number"),
        bad(
            "Modify",
            "acked too far",
            modify().addInserts(data("q")).setClientId(CLIENT).setRequestNumber(2).setAckedBelow(3),
            NEWER,
            "acked_below"),
        bad(
            "ClaimDocs",
            "docs without client",
            V1Docs.claim(ME, "n", "k", 1).setRequestNumber(1),
            NEWER,
            "client_id"));
  }

  static List<Bad> docs() {
    return List.of(
        docs(
            "content long",
            modify().addDocInserts(doc("n").setContent(text(1 << 20))),
            "doc_inserts[0].content",
            "1048580"),
        docs(
            "content of no kind",
            modify().addDocInserts(doc("n").setContent(Value.getDefaultInstance())),
            "doc_inserts[0].content",
            "without a kind"),
        docs(
            "content not a number",
            modify().addDocInserts(doc("n").setContent(number(Double.NaN))),
            "doc_inserts[0].content"),
        docs(
            "id very long",
            modify().addDocDeletes(docRef().setId(LONG)),
            "doc_deletes[0].id",
            "1025"));
  }

  static List<Bad> questions() {
    return List.of(
        bad(
            "Tasks",
            "id long",
            TasksRequest.newBuilder().setQueue("q").addTaskId(LONG),
            ALL,
            "task_id[0]"),
        bad("Tasks", "queue long", TasksRequest.newBuilder().setQueue(LONG), ALL, "queue", "1025"),
        bad(
            "Tasks",
            "claimant long",
            TasksRequest.newBuilder().setQueue("q").setClaimantId(LONG),
            ALL,
            "claimant_id"),
        bad(
            "Queues",
            "prefix long",
            QueuesRequest.newBuilder().addMatchPrefix(LONG),
            ALL,
            "match_prefix[0]"),
        bad(
            "QueueStats",
            "name long",
            QueuesRequest.newBuilder().addMatchExact("q").addMatchExact(LONG),
            ALL,
            "match_exact[1]"),
        query("namespace", DocQuery.newBuilder().setNamespace(LONG), "query.namespace"),
        query("start", DocQuery.newBuilder().setNamespace("n").setKeyStart(LONG), "key_start"),
        query("end", DocQuery.newBuilder().setNamespace("n").setKeyEnd(LONG), "key_end"),
        query(
            "id", DocQuery.newBuilder().setNamespace("n").addIds("x").addIds(LONG), "query.ids[1]"),
        bad(
            "NamespaceStats",
            "name long",
            NamespacesRequest.newBuilder().addMatchExact(LONG),
            NEWER,
            "match_exact[0]"));
  }

  @ParameterizedTest
  @MethodSource({
    "olderTasksTwice",
    "olderTaskFields",
    "values",
    "claims",
    "identities",
    "docs",
    "questions"
  })
  void shouldBeRefusedByEachWay(Bad bad) {
    List<Object> before = everything();
    String inWords = null;
    int asked = 0;
    for (Transport way : bad.ways) {
      Optional<TransportAnswer> answer = way.ask(doors, bad.request);
      if (answer.isEmpty()) {
        continue;
      }
      asked++;
      assertThat(answer.get().code())
          .as("%s: %s", way, answer.get())
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(answer.get().message()).as("%s", way).contains(bad.words);
      if (way != Transport.V0) {
        assertThat(answer.get().message())
            .as("%s", way)
            .isEqualTo(inWords == null ? answer.get().message() : inWords);
        inWords = answer.get().message();
      }
      assertThat(everything()).as("%s", way).isEqualTo(before);
      doWhatIsGood(way);
    }
    assertThat(asked).isPositive();
  }

  /** The answer does not tell what the caller may do, and the authorizer need not be there. */
  @ParameterizedTest
  @MethodSource({
    "olderTasksTwice",
    "olderTaskFields",
    "values",
    "claims",
    "identities",
    "docs",
    "questions"
  })
  void shouldBeRefusedBeforeTheAuthorizerIsAsked(Bad bad) {
    int asked = OPA.asked.size();
    for (Transport way : bad.ways) {
      assertThat(way.ask(denying, bad.request))
          .as("%s", way)
          .isEqualTo(way.ask(doors, bad.request));
    }
    assertThat(OPA.asked).hasSize(asked);
  }

  /** JSON that no request can be made of. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "NaN",
        "Infinity",
        "1e999",
        "\"\\ud800\"",
        "\"\u00ff\"",
        "{\"a\":1,\"a\":2}",
        "DEEP",
      })
  void shouldRefuseBadJsonBeforeTheAuthorizerIsAsked(String value) {
    int asked = OPA.asked.size();
    String json = value.replace("DEEP", "[".repeat(102) + "]".repeat(102));
    byte[] body =
        "{\"inserts\":[{\"queue\":\"q\",\"value\":%s}]}"
            .formatted(json)
            .getBytes(StandardCharsets.ISO_8859_1);
    for (String target : List.of("/api/v0/modify", "/api.EntroQ/Modify")) {
      HttpResponse<byte[]> response = denying.post(target, "application/json", body);
      assertThat(response.statusCode()).as("%s", target).isEqualTo(400);
      assertThat(doors.post(target, "application/json", body).body()).isEqualTo(response.body());
    }
    assertThat(OPA.asked).hasSize(asked);
  }

  @Test
  void shouldBeDeniedIfItIsGood() {
    TransportRequest insert = TransportRequest.of("Modify", modify().addInserts(data("q")));
    for (Transport way : ALL) {
      assertThat(way.ask(denying, insert).orElseThrow().code())
          .as("%s", way)
          .isEqualTo(Status.Code.PERMISSION_DENIED);
    }
  }

  /** A bad position is the fault of a read alone. */
  @Test
  void shouldRefuseABadPositionBeforeTheAuthorizerIsAsked() {
    int asked = OPA.asked.size();
    for (String target :
        List.of("/api/v0/tasks?queue=q", "/api/v0/docs?query.namespace=n", "/api/v0/queues")) {
      HttpResponse<byte[]> response =
          denying.send(denying.to(target).header("entroq-min-position", "x").GET());
      assertThat(response.statusCode()).as("%s", target).isEqualTo(400);
    }
    assertThat(OPA.asked).hasSize(asked);
  }

  /** A lease without end is none that is over. */
  @Test
  void shouldNotTakeALongLeaseForAShortOne() {
    for (Transport way : Transport.values()) {
      String queue = "endless " + way;
      v1.modify(ModifyRequest.newBuilder().addInserts(V1.data(queue)));
      ClaimRequest.Builder endless = V1.claim(ME, queue).setDurationMs(Long.MAX_VALUE);
      assertThat(way.ask(doors, TransportRequest.of("TryClaim", endless)))
          .contains(TransportAnswer.OK);
      List<Task> tasks = v1.tasks(TasksRequest.newBuilder().setQueue(queue));
      assertThat(tasks.get(0).getVersion()).isEqualTo(1);
      assertThat(tasks.get(0).getAtMs()).isGreaterThan(1L << 50);
      assertThat(v1.tryClaim("another", queue).hasTask()).isFalse();
      v1.modify(ModifyRequest.newBuilder().setClaimantId(ME).addDeletes(V1.ref(tasks.get(0))));
    }
  }

  private static void doWhatIsGood(Transport way) {
    TransportRequest insert =
        TransportRequest.of("Modify", modify().addInserts(data("good").setId(NEW_ID)));
    assertThat(way.ask(doors, insert)).as("%s", way).contains(TransportAnswer.OK);
    v1.modify(ModifyRequest.newBuilder().setClaimantId(ME).addDeletes(V1.ref(v1.task(NEW_ID))));
  }

  private static List<Object> everything() {
    return Contents.of(v1, docs);
  }

  /** In the words of the older API; {@link ValidationTest} has those of the newer one. */
  private static Bad older(String name, ModifyRequest.Builder request, String... words) {
    return bad("Modify", name, request, OLDER, words);
  }

  private static Bad bad(String name, ModifyRequest.Builder request, String... words) {
    return bad("Modify", name, request, ALL, words);
  }

  private static Bad bad(
      String name, ModifyRequest.Builder request, Set<Transport> ways, String... words) {
    return bad("Modify", name, request, ways, words);
  }

  private static Bad bad(
      String method, String name, Message.Builder request, Set<Transport> ways, String... words) {
    return new Bad(
        method + ": " + name, TransportRequest.of(method, request), ways, List.of(words));
  }

  private static Bad docs(String name, ModifyRequest.Builder request, String... words) {
    return bad("docs, " + name, request, NEWER, words);
  }

  private static Bad query(String name, DocQuery.Builder query, String... words) {
    return bad("Docs", name, DocsRequest.newBuilder().setQuery(query), NEWER, words);
  }

  private static ModifyRequest.Builder insert(Value value) {
    return modify().addInserts(data("q").setValue(value));
  }

  private static ModifyRequest.Builder modify() {
    return ModifyRequest.newBuilder().setClaimantId(ME);
  }

  private static TaskData.Builder data(String queue) {
    return V1.data(queue);
  }

  private static TaskID.Builder ref() {
    return TaskID.newBuilder().setId(TASK_ID).setQueue("q");
  }

  private static TaskChange.Builder change() {
    return V1.change(Task.newBuilder().setId(TASK_ID).setQueue("q").build());
  }

  private static DocData.Builder doc(String namespace) {
    return V1Docs.data(namespace, "k", "s2");
  }

  private static Doc theDoc() {
    return Doc.newBuilder().setNamespace("n").setId("d").setKey("k").setVersion(1).build();
  }

  private static DocID.Builder docRef() {
    return V1Docs.ref(theDoc());
  }

  private static Value number(double number) {
    return Value.newBuilder().setNumberValue(number).build();
  }

  /** A Value with a field as no builder makes it, its bytes one a character. */
  private static Value raw(int field, String bytes) {
    return Value.newBuilder()
        .setUnknownFields(
            UnknownFieldSet.newBuilder()
                .addField(
                    field,
                    UnknownFieldSet.Field.newBuilder()
                        .addLengthDelimited(ByteString.copyFrom(bytes, StandardCharsets.ISO_8859_1))
                        .build())
                .build())
        .build();
  }

  private static Value text(int length) {
    return Value.newBuilder().setStringValue("x".repeat(length)).build();
  }
}
