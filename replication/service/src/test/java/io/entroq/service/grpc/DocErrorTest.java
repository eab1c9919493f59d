package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.details;
import static io.entroq.service.grpc.ServedQueue.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.entroq.codec.wire.published.v1.ActionType;
import io.entroq.codec.wire.published.v1.Doc;
import io.entroq.codec.wire.published.v1.DocChange;
import io.entroq.codec.wire.published.v1.DocID;
import io.entroq.codec.wire.published.v1.DocQuery;
import io.entroq.codec.wire.published.v1.ModifyDep;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.TaskID;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What clients learn of docs that are not as they said. */
class DocErrorTest {
  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);
  private final V1Docs docs = new V1Docs(served.client);
  private Doc doc;

  @BeforeEach
  void insert() {
    doc = docs.insert(V1Docs.data("n", "k", "s").setId("d"));
  }

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldListEveryReasonOnce() throws Exception {
    docs.insert(V1Docs.data("n", "held", "s").setId("h"));
    Doc heldToo = docs.insert(V1Docs.data("n", "held", "t").setId("h2"));
    docs.insert(V1Docs.data("n", "other", "s").setId("taken"));
    Doc held = docs.claim("other", "n", "held").get(0);
    StatusRuntimeException refused =
        refusal(
            modify(
                request()
                    .addDocInserts(V1Docs.data("n", "k", "s").setId("new"))
                    .addDocInserts(V1Docs.data("n", "k", "free").setId("taken"))
                    .addDocInserts(V1Docs.data("elsewhere", "k", "s").setId("d"))
                    .addDocChanges(V1Docs.change(doc.toBuilder().setVersion(7).build()))
                    .addDocChanges(V1Docs.change(held))
                    .addDocDeletes(V1Docs.ref(doc).setId("missing"))
                    .addDocDeletes(V1Docs.ref(heldToo).setVersion(held.getVersion()))
                    .addDocDepends(V1Docs.ref(doc).setNamespace("nowhere"))
                    .addDeletes(TaskID.newBuilder().setId("a task"))));
    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(refused.getStatus().getDescription()).isEqualTo("modification dependency error");
    List<ModifyDep> entries = entries(refused);
    assertThat(entries.get(0).getType()).isEqualTo(ActionType.DETAIL);
    assertThat(entries.get(0).getMsg())
        .contains("doc_inserts[0] exists", "doc_changes[1] claimed by another");
    assertThat(entries.subList(1, entries.size()))
        .containsExactlyInAnyOrder(
            ModifyDep.newBuilder()
                .setType(ActionType.DELETE)
                .setId(TaskID.newBuilder().setId("a task"))
                .build(),
            // The doc that has the place, and the one that has the id.
            entry(ActionType.INSERT, "n", "d", 0),
            entry(ActionType.INSERT, "n", "taken", 0),
            entry(ActionType.CHANGE, "n", "d", 7),
            set("n", "held", held.getVersion()),
            entry(ActionType.CLAIM, "n", "h", held.getVersion()),
            entry(ActionType.DELETE, "n", "missing", 0),
            entry(ActionType.CLAIM, "n", "h2", held.getVersion()),
            entry(ActionType.DEPEND, "nowhere", "d", 0));
    assertThat(docs.docs(DocQuery.newBuilder().setNamespace("elsewhere"))).isEmpty();
  }

  @Test
  void shouldListDocsThatOthersHold() throws Exception {
    Doc more = docs.insert(V1Docs.data("n", "k", "t").setId("e"));
    DocChange.Builder hold = V1Docs.change(more);
    long untilMs = System.currentTimeMillis() + 60_000;
    hold.getNewDataBuilder().setAtMs(untilMs);
    v1.modify(ModifyRequest.newBuilder().setClaimantId("other").addDocChanges(hold));
    int version = docs.doc("n", "d").getVersion();

    StatusRuntimeException refused = refusal(() -> docs.claim("me", "n", "k"));
    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(refused.getStatus().getDescription()).isEqualTo("claim docs dependency error");
    assertThat(entries(refused))
        .containsExactly(
            ModifyDep.newBuilder()
                .setType(ActionType.DETAIL)
                .setMsg(
                    "doc set \"k\" in namespace \"n\" is claimed by other until "
                        + Instant.ofEpochMilli(untilMs))
                .build(),
            set("n", "k", version),
            entry(ActionType.CLAIM, "n", "d", version),
            entry(ActionType.CLAIM, "n", "e", version));
    assertThat(docs.doc("n", "d").getVersion()).isEqualTo(version);
    assertThat(docs.claim("other", "n", "k")).hasSize(2);
  }

  @Test
  void shouldFitWhateverIsHeldIntoTheTrailers() throws Exception {
    ModifyRequest.Builder request = request();
    for (int i = 0; i < 500; i++) {
      request.addDocInserts(V1Docs.data("a namespace with a name", "many", "s" + i));
    }
    v1.modify(request);
    docs.claim("other", "a namespace with a name", "many");
    List<ModifyDep> entries =
        entries(refusal(() -> docs.claim("me", "a namespace with a name", "many")));
    assertThat(entries).hasSizeGreaterThan(20);
    assertThat(entries.get(0).getMsg())
        .endsWith("; and " + (501 - (entries.size() - 1)) + " more that would not fit");
  }

  private Executable modify(ModifyRequest.Builder request) {
    return () -> v1.modify(request);
  }

  private static ModifyRequest.Builder request() {
    return ModifyRequest.newBuilder().setClaimantId("me");
  }

  private static ModifyDep set(String namespace, String key, int version) {
    return ModifyDep.newBuilder()
        .setType(ActionType.CLAIM)
        .setDocId(DocID.newBuilder().setNamespace(namespace).setKey(key).setVersion(version))
        .build();
  }

  private static ModifyDep entry(ActionType type, String namespace, String id, int version) {
    return ModifyDep.newBuilder()
        .setType(type)
        .setDocId(DocID.newBuilder().setNamespace(namespace).setId(id).setVersion(version))
        .build();
  }

  private static List<ModifyDep> entries(StatusRuntimeException refused)
      throws InvalidProtocolBufferException {
    List<ModifyDep> entries = new ArrayList<>();
    for (Any any : details(refused)) {
      assertThat(any.getTypeUrl()).isEqualTo("type.googleapis.com/api.ModifyDep");
      entries.add(ModifyDep.parseFrom(any.getValue()));
    }
    return entries;
  }
}
