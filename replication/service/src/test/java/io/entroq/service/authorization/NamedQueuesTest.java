package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.DocClaim;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.service.call.Method;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a request of the v1 API names is what it must be allowed to use, and all that it uses. */
class NamedQueuesTest {
  private static final Decision NO = Decision.denied(List.of(), List.of());

  private final GuardedQueue queue = new GuardedQueue(Facade.V1);

  @AfterEach
  void close() {
    queue.close();
  }

  private static TaskID id(String id, String name) {
    return TaskID.newBuilder().setId(id).setQueue(name).build();
  }

  private static ModifyRequest.Builder request() {
    return ModifyRequest.newBuilder();
  }

  private static ModifyRequest.Builder changing(TaskID task, String to) {
    ModifyRequest.Builder request = request();
    request.addChangesBuilder().setOldId(task).getNewDataBuilder().setQueue(to);
    return request;
  }

  private static Permission permission(Action action, String name) {
    return Permission.of(action, name);
  }

  @Test
  void shouldAskAboutWhatEachItemNames() throws Exception {
    ModifyRequest.Builder request =
        changing(id("c", "stays"), "").addDeletes(id("d", "deleted")).addDepends(id("e", "read"));
    request.addInsertsBuilder().setQueue("inserted");
    request.addChanges(changing(id("f", "same"), "same").getChanges(0));
    request.addChanges(changing(id("g", "from"), "to").getChanges(0));
    request.getThenClaimBuilder().addQueues("claimed").addQueues("too").setDurationMs(1_000);
    request.addDocInsertsBuilder().setNamespace("inserted");
    request
        .addDocChangesBuilder()
        .setNewData(DocData.getDefaultInstance())
        .getOldIdBuilder()
        .setNamespace("changed")
        .setId("x");
    request.addDocDeletesBuilder().setNamespace("deleted").setId("y");
    request.addDocDependsBuilder().setNamespace("read").setId("z");
    GuardedQueue.Heard<ModifyResponse> heard = queue.begin(request);
    GuardedQueue.Asking asking = queue.asked();
    assertThat(asking.query().queues())
        .containsExactly(
            permission(Action.INSERT, "inserted"),
            permission(Action.CHANGE, "stays"),
            permission(Action.CHANGE, "same"),
            permission(Action.DELETE, "from"),
            permission(Action.INSERT, "to"),
            permission(Action.DELETE, "deleted"),
            permission(Action.READ, "read"),
            permission(Action.CLAIM, "claimed"),
            permission(Action.CLAIM, "too"));
    assertThat(asking.query().namespaces())
        .containsExactly(
            permission(Action.INSERT, "inserted"),
            permission(Action.CHANGE, "changed"),
            permission(Action.DELETE, "deleted"),
            permission(Action.READ, "read"));
    asking.decision().complete(NO);
    assertThat(heard.answer.get(30, TimeUnit.SECONDS)).isEqualTo(NO.refusal().orElseThrow());
  }

  /** So it need not be looked up, and a permitted name is no way to it. */
  @Test
  void shouldNotTouchATaskOutsideOfTheQueueThatIsNamed() throws Exception {
    queue.insert(request(), "secret", "t");
    for (String name : List.of("open", "")) {
      for (ModifyRequest.Builder request :
          List.of(
              request().addDeletes(id("t", name)),
              request().addDepends(id("t", name)),
              changing(id("t", name), name),
              changing(id("t", name), "open"))) {
        GuardedQueue.Heard<ModifyResponse> heard = queue.begin(request);
        queue.asked().decision().complete(Decision.ALLOWED);
        assertThat(heard.dependencies().get(1).getId().getId()).isEqualTo("t");
        assertThat(heard.dependencies().toString()).doesNotContain("secret");
      }
    }
    queue.assertNothingAsked();
    assertThat(queue.tasks("t").get(0).getVersion()).isZero();
  }

  @Test
  void shouldNotTouchATaskThatHasLeftItsQueueMeanwhile() throws Exception {
    queue.insert(request(), "open", "t");
    GuardedQueue.Heard<ModifyResponse> heard = queue.begin(request().addDeletes(id("t", "open")));
    GuardedQueue.Asking asking = queue.asked();
    queue.modify(changing(id("t", "open"), "secret"));
    asking.decision().complete(Decision.ALLOWED);
    assertThat(heard.dependencies())
        .contains(ModifyDep.newBuilder().setType(ActionType.DELETE).setId(id("t", "open")).build());
    assertThat(queue.tasks("t").get(0).getQueue()).isEqualTo("secret");
  }

  /** Its task is gone by then, by its own first attempt. */
  @Test
  void shouldRepeatTheResponseForARetry() throws Exception {
    queue.insert(request(), "open", "t");
    ModifyRequest.Builder move = identified(changing(id("t", "open"), "next"));
    for (int attempt = 0; attempt < 2; attempt++) {
      GuardedQueue.Heard<ModifyResponse> heard = queue.begin(move);
      queue.allow(permission(Action.DELETE, "open"), permission(Action.INSERT, "next"));
      assertThat(heard.response().getChanged(0).getVersion()).isEqualTo(1);
    }
    assertThat(queue.tasks("t").get(0).getVersion()).isEqualTo(1);
  }

  @Test
  void shouldAuthorizeEachUseOfAnIdentityByItsOwnContent() throws Exception {
    queue.insert(request(), "open", "t");
    queue.insert(request(), "secret", "a");
    GuardedQueue.Heard<ModifyResponse> first =
        queue.begin(identified(request().addDeletes(id("t", "open"))));
    queue.allow(permission(Action.DELETE, "open"));
    first.response();

    ModifyRequest.Builder other = identified(request().addDeletes(id("a", "secret")));
    GuardedQueue.Heard<ModifyResponse> denied = queue.begin(other);
    GuardedQueue.Asking asking = queue.asked();
    assertThat(asking.query().queues()).containsExactly(permission(Action.DELETE, "secret"));
    asking.decision().complete(NO);
    assertThat(denied.answer.get(30, TimeUnit.SECONDS)).isEqualTo(NO.refusal().orElseThrow());

    GuardedQueue.Heard<ModifyResponse> allowed = queue.begin(other);
    queue.allow(permission(Action.DELETE, "secret"));
    assertThat(allowed.answer.get(30, TimeUnit.SECONDS)).isEqualTo(Refusal.IDENTITY_REUSED);
    assertThat(queue.tasks("a")).hasSize(1);
  }

  private static ModifyRequest.Builder identified(ModifyRequest.Builder request) {
    return request
        .setClientId(ByteString.copyFromUtf8("0123456789abcdef"))
        .setRequestNumber(1)
        .setAckedBelow(1);
  }

  // ---- Claims of docs.

  private static DocClaim.Builder docs() {
    return DocClaim.newBuilder().setClaimant("me").setDurationMs(1_000);
  }

  private static DocClaim.Builder with(
      DocClaim.Builder claim, String namespace, String key, boolean omitsMembers) {
    claim
        .addSetsBuilder()
        .setOmitMembers(omitsMembers)
        .getSetBuilder()
        .setNamespace(namespace)
        .setKey(key);
    return claim;
  }

  private AuthorizationQuery asked(DocClaim.Builder claim) throws InterruptedException {
    queue.begin(Method.CLAIM_DOCS, ClaimDocsRequest.newBuilder().setClaimQuery(claim).build());
    GuardedQueue.Asking asking = queue.asked();
    asking.decision().complete(NO);
    return asking.query();
  }

  @Test
  void shouldAskToReadDocsThatAClaimReturns() throws Exception {
    AuthorizationQuery query = asked(with(docs(), "n", "k", false));
    assertThat(query.claimantId()).isEqualTo("me");
    assertThat(query.queues()).isEmpty();
    assertThat(query.namespaces())
        .containsExactly(permission(Action.CLAIM, "n"), permission(Action.READ, "n"));
    // The form of protocol 1 returns them, too.
    assertThat(asked(docs().setNamespace("n").setKey("k")).namespaces())
        .containsExactly(permission(Action.CLAIM, "n"), permission(Action.READ, "n"));
  }

  @Test
  void shouldNotAskToReadDocsThatAClaimLocksOnly() throws Exception {
    assertThat(asked(with(with(docs(), "n", "k", true), "n", "l", true)).namespaces())
        .containsExactly(permission(Action.CLAIM, "n"));
  }

  /** One set of a namespace whose docs come back is enough, wherever it stands. */
  @Test
  void shouldAskOnceForEachNamespaceOfAClaim() throws Exception {
    for (boolean omitsFirst : new boolean[] {true, false}) {
      DocClaim.Builder claim = with(docs(), "n", "k", omitsFirst);
      with(with(claim, "m", "k", true), "n", "l", !omitsFirst);
      assertThat(asked(claim).namespaces())
          .containsExactly(
              permission(Action.CLAIM, "n"),
              permission(Action.READ, "n"),
              permission(Action.CLAIM, "m"));
    }
  }

  @Test
  void shouldAskToReadTheQueueOfAMatchedTask() throws Exception {
    DocClaim.Builder claim = with(docs(), "n", "k", true).setTaskToMatch(id("t", "matched"));
    AuthorizationQuery query = asked(claim);
    assertThat(query.queues()).containsExactly(permission(Action.READ, "matched"));
    assertThat(query.namespaces()).containsExactly(permission(Action.CLAIM, "n"));
  }
}
