package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that come and go while the authorizer thinks about them. */
@Timeout(60)
class MovingTaskTest {
  private static final CallContext CONTEXT = CallContext.of("test");

  private static final Decision NO = Decision.denied(List.of(), List.of());

  private final EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
  private final Service open =
      new QueueService(Facade.V1, queue.gateway(), new BlockedClaims(), 1 << 20);
  private final BlockingQueue<Asking> asked = new LinkedBlockingQueue<>();
  private final AtomicReference<Step> whenReused = new AtomicReference<>();
  private final Service guarded =
      new AuthorizedService(
          new Pausing(),
          new LoggedAuthorizer(
              query -> {
                Asking asking = new Asking(query, new CompletableFuture<>());
                asked.add(asking);
                return asking.decision;
              }),
          false);

  /** Does something before it says that an identity was used before. */
  private final class Pausing extends ServiceFilter {
    Pausing() {
      super(open);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <Q extends Message, S extends Message> Call handle(
        Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
      Step step = whenReused.get();
      if (method != Method.MODIFY || step == null) {
        return next.handle(method, context, request, reply);
      }
      Heard<S> heard = new Heard<>();
      Call call = next.handle(method, context, request, heard);
      heard.answer.thenAcceptAsync(
          answer -> {
            if (answer.equals(Refusal.IDENTITY_REUSED) && whenReused.getAndSet(null) != null) {
              step.run();
            }
            if (answer instanceof Refusal refusal) {
              reply.fail(refusal);
            } else {
              reply.send((S) answer);
            }
          });
      return call;
    }
  }

  /** Something that takes a while. */
  @FunctionalInterface
  private interface Step {
    void take() throws Exception;

    default void run() {
      try {
        take();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private record Asking(AuthorizationQuery query, CompletableFuture<Decision> decision) {}

  @AfterEach
  void close() {
    queue.close();
  }

  @Test
  void shouldNotTouchATaskThatHasLeftItsQueue() throws Exception {
    insert("open", "t");
    Heard<ModifyResponse> heard = begin(deleting(id("t", 0, "")));
    Asking asking = asked();
    assertThat(asking.query.queues()).containsExactly(Permission.of(Action.DELETE, "open"));
    modify(open, changing(id("t", 0, ""), "secret"));
    asking.decision.complete(Decision.ALLOWED);
    assertThat(heard.dependencies()).contains(dep(ActionType.DELETE, id("t", 0, "")));
    assertThat(tasks()).extracting(Task::getQueue).containsExactly("secret");
  }

  @Test
  void shouldNotTouchATaskThatAppearsInItsQueueLater() throws Exception {
    for (ModifyRequest.Builder request :
        List.of(
            changing(id("t", 0, "open"), "open"),
            deleting(id("t", 0, "")),
            ModifyRequest.newBuilder().addDepends(id("t", 0, "")))) {
      Heard<ModifyResponse> heard = begin(request);
      Asking asking = asked();
      insert("secret", "t");
      asking.decision.complete(Decision.ALLOWED);
      assertThat(heard.dependencies()).hasSize(2);
      assertThat(heard.dependencies().get(1).getId().getId()).isEqualTo("t");
      assertThat(heard.dependencies().get(1).getId().getVersion()).isZero();
      assertThat(tasks()).hasSize(1);
      modify(open, deleting(id("t", 0, "")));
    }
  }

  @Test
  void shouldNotTouchATaskThatReachesTheNamedVersionLater() throws Exception {
    insert("open", "t");
    Heard<ModifyResponse> heard = begin(changing(id("t", 1, "open"), "open"));
    Asking asking = asked();
    modify(open, changing(id("t", 0, ""), "secret"));
    asking.decision.complete(Decision.ALLOWED);
    assertThat(heard.dependencies()).contains(dep(ActionType.CHANGE, id("t", 1, "")));
    assertThat(tasks().get(0).getVersion()).isEqualTo(1);
  }

  @Test
  void shouldNotListATaskThatMovedFromAnotherQueue() throws Exception {
    insert("open", "a");
    insert("open", "b");
    Heard<TasksResponse> heard = new Heard<>();
    guarded.handle(
        Method.TASKS,
        CONTEXT,
        TasksRequest.newBuilder().addTaskId("a").addTaskId("b").build(),
        heard);
    Asking asking = asked();
    assertThat(asking.query.queues()).containsExactly(Permission.of(Action.READ, "open"));
    modify(open, changing(id("a", 0, ""), "secret"));
    asking.decision.complete(Decision.ALLOWED);
    assertThat(heard.response().getTasksList()).extracting(Task::getId).containsExactly("b");
  }

  @Test
  void shouldNotStreamATaskThatMovedFromAnotherQueue() throws Exception {
    insert("open", "a");
    insert("open", "b");
    HeardTasks heard = new HeardTasks();
    guarded.handle(
        Method.STREAM_TASKS,
        CONTEXT,
        TasksRequest.newBuilder().addTaskId("a").addTaskId("b").build(),
        heard);
    Asking asking = asked();
    modify(open, changing(id("a", 0, ""), "secret"));
    asking.decision.complete(Decision.ALLOWED);
    assertThat(heard.completed.get(30, TimeUnit.SECONDS)).containsExactly("b");
  }

  @Test
  void shouldRepeatTheResponseForARetry() throws Exception {
    insert("open", "t");
    ModifyRequest.Builder move =
        identified(changing(id("t", 0, "open"), "next").setClaimantId("me"));
    Heard<ModifyResponse> first = begin(move);
    allow(Permission.of(Action.DELETE, "open"), Permission.of(Action.INSERT, "next"));
    ModifyResponse response = first.response();

    // What was asked about then is asked about again, though the task is elsewhere by now.
    Heard<ModifyResponse> second = begin(move);
    allow(Permission.of(Action.DELETE, "open"), Permission.of(Action.INSERT, "next"));
    assertThat(second.response().getChanged(0).getVersion())
        .isEqualTo(response.getChanged(0).getVersion());
    assertThat(tasks().get(0).getVersion()).isEqualTo(1);
  }

  @Test
  void shouldRepeatTheResponseForARetryWithoutQueueWhoseTaskIsGone() throws Exception {
    insert("open", "t");
    ModifyRequest.Builder delete = identified(deleting(id("t", 0, "")));
    for (int attempt = 0; attempt < 2; attempt++) {
      Heard<ModifyResponse> heard = begin(delete);
      allow(Permission.of(Action.DELETE, "open"));
      assertThat(heard.response()).isEqualTo(ModifyResponse.getDefaultInstance());
      assertThat(tasks()).isEmpty();
    }
  }

  @Test
  void shouldRepeatTheResponseForARetryWithoutQueueWhoseTaskHasMoved() throws Exception {
    insert("open", "t");
    ModifyRequest.Builder move = identified(changing(id("t", 0, ""), "next"));
    for (int attempt = 0; attempt < 2; attempt++) {
      Heard<ModifyResponse> heard = begin(move);
      allow(Permission.of(Action.DELETE, "open"), Permission.of(Action.INSERT, "next"));
      assertThat(heard.response().getChanged(0).getVersion()).isEqualTo(1);
    }
  }

  @Test
  void shouldDoNothingNewForAnEarlierPermission() throws Exception {
    insert("open", "t");
    Heard<ModifyResponse> first = begin(identified(deleting(id("t", 0, ""))));
    allow(Permission.of(Action.DELETE, "open"));
    first.response();
    insert("secret", "a");
    modify(open, changing(id("a", 0, ""), "secret"));

    // The same identity for something else: it is judged by that, and not done.
    Heard<ModifyResponse> second = begin(identified(deleting(id("a", 0, ""))));
    allow(Permission.of(Action.DELETE, "secret"));
    assertThat(second.answer.get(30, TimeUnit.SECONDS)).isEqualTo(Refusal.IDENTITY_REUSED);
    assertThat(tasks()).hasSize(1);
  }

  @Test
  void shouldAuthorizeARetryByItsOwnPermissionsOnly() throws Exception {
    insert("open", "t");
    insert("other", "a");
    ModifyRequest.Builder first = identified(deleting(id("t", 0, "")));
    ModifyRequest.Builder second = identified(deleting(id("a", 0, ""))).setRequestNumber(2);
    Heard<ModifyResponse> heard = begin(first);
    allow(Permission.of(Action.DELETE, "open"));
    heard.response();
    heard = begin(second);
    allow(Permission.of(Action.DELETE, "other"));
    heard.response();

    heard = begin(first);
    allow(Permission.of(Action.DELETE, "open"));
    heard.response();
    heard = begin(second.setAckedBelow(2));
    allow(Permission.of(Action.DELETE, "other"));
    heard.response();
  }

  @Test
  void shouldNotRevealTheQueueOfARetryThatIsNoLongerAllowed() throws Exception {
    insert("open", "t");
    ModifyRequest.Builder delete = identified(deleting(id("t", 0, "")));
    Heard<ModifyResponse> first = begin(delete);
    allow(Permission.of(Action.DELETE, "open"));
    first.response();
    Heard<ModifyResponse> second = begin(delete);
    Asking before = asked();
    assertThat(before.query.queues()).containsExactly(Permission.of(Action.DELETE, "open"));
    before.decision.complete(no("open", "DELETE"));
    // As of a task that does not exist.
    Asking asking = asked();
    assertThat(asking.query.queues()).containsExactly(Permission.of(Action.DELETE, ""));
    asking.decision.complete(NO);
    assertThat(second.answer.get(30, TimeUnit.SECONDS)).isEqualTo(NO.refusal().orElseThrow());
  }

  @Test
  void shouldHideOnlyDeniedTasks() throws Exception {
    insert("both", "t");
    insert("both", "a");
    begin(deleting(id("t", 0, "")).addDepends(id("a", 0, "")));
    Asking asking = asked();
    assertThat(asking.query.queues())
        .containsExactly(Permission.of(Action.DELETE, "both"), Permission.of(Action.READ, "both"));
    asking.decision.complete(no("both", "DELETE"));
    assertThat(asked().query.queues())
        .containsExactly(Permission.of(Action.DELETE, ""), Permission.of(Action.READ, "both"));
  }

  @Test
  void shouldNotAskAgainWithoutADecision() throws Exception {
    insert("open", "t");
    Heard<ModifyResponse> heard = begin(deleting(id("t", 0, "")));
    Decision unknown = Decision.unavailable("nobody is there");
    asked().decision.complete(unknown);
    assertThat(heard.answer.get(30, TimeUnit.SECONDS)).isEqualTo(unknown.refusal().orElseThrow());
    assertThat(asked).isEmpty();
  }

  @Test
  void shouldHideAllTasksOfAListingWhenADenialNamesNone() throws Exception {
    insert("open", "a");
    insert("secret", "b");
    TasksRequest request = TasksRequest.newBuilder().addTaskId("a").addTaskId("b").build();
    for (Decision no : List.of(NO, no("another", "READ"))) {
      Heard<TasksResponse> heard = new Heard<>();
      guarded.handle(Method.TASKS, CONTEXT, request, heard);
      Asking asking = asked();
      assertThat(asking.query.queues()).hasSize(2);
      asking.decision.complete(no);
      asking = asked();
      assertThat(asking.query.queues()).containsExactly(Permission.of(Action.READ, ""));
      asking.decision.complete(Decision.ALLOWED);
      assertThat(heard.response()).isEqualTo(TasksResponse.getDefaultInstance());
    }
  }

  private static Decision no(String queue, String action) {
    DeniedItem item = new DeniedItem();
    item.exact = queue;
    item.actions.add(action);
    return Decision.denied(List.of(), List.of(item));
  }

  @Test
  void shouldNotRunAnUnauthorizedModifyWhenItsClientExpiresInBetween() throws Exception {
    insert("open", "t");
    Heard<ModifyResponse> first = begin(identified(deleting(id("t", 0, ""))));
    allow(Permission.of(Action.DELETE, "open"));
    first.response();

    // The same identity for a task that is not as it says, until it is known to have been used.
    insert("secret", "a");
    whenReused.set(
        () -> {
          modify(open, changing(id("a", 0, ""), "secret"));
          pushOut();
        });
    Heard<ModifyResponse> second = begin(identified(deleting(id("a", 1, ""))));
    Asking asking = asked();
    boolean isJudgedByItself =
        asking.query.queues().contains(Permission.of(Action.DELETE, "secret"));
    asking.decision.complete(isJudgedByItself ? NO : Decision.ALLOWED);
    if (isJudgedByItself) {
      asked().decision.complete(NO);
    }
    assertThat(second.answer.get(50, TimeUnit.SECONDS)).isEqualTo(NO.refusal().orElseThrow());
    assertThat(tasks()).extracting(Task::getId).containsExactly("a");
  }

  /** As many other clients as are kept. */
  private void pushOut() throws Exception {
    ModifyRequest.Builder request = ModifyRequest.newBuilder().setRequestNumber(1);
    List<Heard<ModifyResponse>> begun = new ArrayList<>();
    for (int client = 1; client <= 65_536; client++) {
      byte[] id = ByteBuffer.allocate(16).putInt(client).array();
      Heard<ModifyResponse> heard = new Heard<>();
      open.handle(
          Method.MODIFY, CONTEXT, request.setClientId(ByteString.copyFrom(id)).build(), heard);
      begun.add(heard);
      if (begun.size() == 64) {
        for (Heard<ModifyResponse> one : begun) {
          one.response();
        }
        begun.clear();
      }
    }
  }

  @Test
  void shouldAskAboutEachQueueOfTheClaimInAModify() throws Exception {
    insert("b", "t");
    ModifyRequest.Builder request = ModifyRequest.newBuilder();
    request.getThenClaimBuilder().addQueues("a").addQueues("b").setDurationMs(1_000);
    Heard<ModifyResponse> heard = begin(request);
    Asking asking = asked();
    assertThat(asking.query.queues())
        .containsExactly(Permission.of(Action.CLAIM, "a"), Permission.of(Action.CLAIM, "b"));
    asking.decision.complete(NO);
    assertThat(heard.answer.get(30, TimeUnit.SECONDS)).isEqualTo(NO.refusal().orElseThrow());
    assertThat(tasks().get(0).getVersion()).isZero();
  }

  @Test
  void shouldNotLetAnIdentityBypassAuthorization() throws Exception {
    ModifyRequest.Builder request = identified(changing(id("t", 0, "open"), "open"));
    for (int attempt = 0; attempt < 2; attempt++) {
      Heard<ModifyResponse> heard = begin(request);
      Asking asking = asked();
      if (attempt == 0) {
        insert("secret", "t");
        modify(open, changing(id("t", 0, ""), "secret"));
      }
      asking.decision.complete(Decision.ALLOWED);
      assertThat(heard.dependencies()).contains(dep(ActionType.CHANGE, id("t", 0, "")));
    }
    assertThat(tasks().get(0).getVersion()).isEqualTo(1);
  }

  @Test
  void shouldDoNothingForADisconnectedCaller() throws Exception {
    insert("open", "t");
    Heard<ModifyResponse> heard = new Heard<>();
    Call call = guarded.handle(Method.MODIFY, CONTEXT, deleting(id("t", 0, "")).build(), heard);
    Asking asking = asked();
    call.cancel();
    assertThatThrownBy(() -> asking.decision.get(30, TimeUnit.SECONDS))
        .isInstanceOf(CancellationException.class);
    assertThat(tasks()).hasSize(1);
    assertThat(heard.answer).isNotDone();
  }

  private ModifyRequest.Builder identified(ModifyRequest.Builder request) {
    return request
        .setClientId(ByteString.copyFromUtf8("0123456789abcdef"))
        .setRequestNumber(1)
        .setAckedBelow(1);
  }

  private void allow(Permission... permissions) throws InterruptedException {
    Asking asking = asked();
    assertThat(asking.query.queues()).containsExactly(permissions);
    asking.decision.complete(Decision.ALLOWED);
  }

  private Asking asked() throws InterruptedException {
    Asking asking = asked.poll(30, TimeUnit.SECONDS);
    assertThat(asking).isNotNull();
    return asking;
  }

  private Heard<ModifyResponse> begin(ModifyRequest.Builder request) {
    Heard<ModifyResponse> heard = new Heard<>();
    guarded.handle(Method.MODIFY, CONTEXT, request.build(), heard);
    return heard;
  }

  private void insert(String name, String id) throws Exception {
    modify(
        open,
        ModifyRequest.newBuilder().addInserts(TaskData.newBuilder().setQueue(name).setId(id)));
  }

  private static ModifyResponse modify(Service service, ModifyRequest.Builder request)
      throws Exception {
    Heard<ModifyResponse> heard = new Heard<>();
    service.handle(Method.MODIFY, CONTEXT, request.build(), heard);
    return heard.response();
  }

  private List<Task> tasks() throws Exception {
    Heard<TasksResponse> heard = new Heard<>();
    open.handle(
        Method.TASKS,
        CONTEXT,
        TasksRequest.newBuilder().addTaskId("t").addTaskId("a").addTaskId("b").build(),
        heard);
    return heard.response().getTasksList();
  }

  private static TaskID id(String id, int version, String queue) {
    return TaskID.newBuilder().setId(id).setVersion(version).setQueue(queue).build();
  }

  private static ModifyRequest.Builder deleting(TaskID task) {
    return ModifyRequest.newBuilder().addDeletes(task);
  }

  private static ModifyRequest.Builder changing(TaskID task, String to) {
    return ModifyRequest.newBuilder()
        .addChanges(
            TaskChange.newBuilder().setOldId(task).setNewData(TaskData.newBuilder().setQueue(to)));
  }

  private static ModifyDep dep(ActionType type, TaskID task) {
    return ModifyDep.newBuilder().setType(type).setId(task).build();
  }

  /** The answers to a listing, by the ids of their tasks. */
  private static final class HeardTasks implements Reply<TasksResponse> {
    final CompletableFuture<List<String>> completed = new CompletableFuture<>();
    private final List<String> ids = new ArrayList<>();

    @Override
    public void position(long position) {
      // Not looked at.
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void send(TasksResponse response) {
      response.getTasksList().forEach(task -> ids.add(task.getId()));
    }

    @Override
    public void complete() {
      completed.complete(ids);
    }

    @Override
    public void fail(Refusal refusal) {
      completed.completeExceptionally(new AssertionError(refusal));
    }
  }

  /** The answer to a request. */
  private static final class Heard<S> implements Reply<S> {
    final CompletableFuture<Object> answer = new CompletableFuture<>();

    @Override
    public void position(long position) {
      // Not looked at.
    }

    @Override
    public void send(S response) {
      answer.complete(response);
    }

    @Override
    public void fail(Refusal refusal) {
      answer.complete(refusal);
    }

    @SuppressWarnings("unchecked")
    S response() throws Exception {
      Object got = answer.get(30, TimeUnit.SECONDS);
      assertThat(got).isNotInstanceOf(Refusal.class);
      return (S) got;
    }

    List<ModifyDep> dependencies() throws Exception {
      Refusal refusal = (Refusal) answer.get(30, TimeUnit.SECONDS);
      assertThat(refusal.code()).as("%s", refusal).isEqualTo(Status.Code.NOT_FOUND);
      return refusal.details().stream().map(ModifyDep.class::cast).toList();
    }
  }
}
