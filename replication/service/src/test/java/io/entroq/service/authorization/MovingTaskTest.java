package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.entroq.service.call.Call;
import io.entroq.service.call.Method;
import io.entroq.service.translation.Facade;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tasks that come and go while the authorizer thinks about them, by the API that need not name
 * their queues.
 */
class MovingTaskTest {
  private static final Decision NO = Decision.denied(List.of(), List.of());
  private static final String T = "c0000000-0000-4000-8000-000000000000";
  private static final String A = "a0000000-0000-4000-8000-000000000000";
  private static final String B = "b0000000-0000-4000-8000-000000000000";

  private final GuardedQueue queue = new GuardedQueue(Facade.V0);

  @AfterEach
  void close() {
    queue.close();
  }

  @Test
  void shouldNotTouchATaskThatHasLeftItsQueue() throws Exception {
    insert("open", T);
    GuardedQueue.Heard<ModifyResponse> heard = queue.begin(deleting(id(T, 0, "")));
    GuardedQueue.Asking asking = queue.asked();
    assertThat(asking.query().queues()).containsExactly(Permission.of(Action.DELETE, "open"));
    queue.modify(changing(id(T, 0, ""), "secret"));
    asking.decision().complete(Decision.ALLOWED);
    assertThat(heard.dependencies()).contains(dep(ActionType.DELETE, id(T, 0, "")));
    assertThat(queue.tasks(T, A, B)).extracting(Task::getQueue).containsExactly("secret");
  }

  @Test
  void shouldNotTouchATaskThatAppearsInItsQueueLater() throws Exception {
    for (ModifyRequest.Builder request :
        List.of(
            changing(id(T, 0, "open"), "open"),
            deleting(id(T, 0, "")),
            request().addDepends(id(T, 0, "")))) {
      GuardedQueue.Heard<ModifyResponse> heard = queue.begin(request);
      GuardedQueue.Asking asking = queue.asked();
      insert("secret", T);
      asking.decision().complete(Decision.ALLOWED);
      assertThat(heard.dependencies()).hasSize(2);
      assertThat(heard.dependencies().get(1).getId().getId()).isEqualTo(T);
      assertThat(heard.dependencies().get(1).getId().getVersion()).isZero();
      assertThat(queue.tasks(T, A, B)).hasSize(1);
      queue.modify(deleting(id(T, 0, "")));
    }
  }

  @Test
  void shouldNotTouchATaskThatReachesTheNamedVersionLater() throws Exception {
    insert("open", T);
    GuardedQueue.Heard<ModifyResponse> heard = queue.begin(changing(id(T, 1, "open"), "open"));
    GuardedQueue.Asking asking = queue.asked();
    queue.modify(changing(id(T, 0, ""), "secret"));
    asking.decision().complete(Decision.ALLOWED);
    assertThat(heard.dependencies()).contains(dep(ActionType.CHANGE, id(T, 1, "")));
    assertThat(queue.tasks(T, A, B).get(0).getVersion()).isEqualTo(1);
  }

  @Test
  void shouldNotListATaskThatMovedFromAnotherQueue() throws Exception {
    insert("open", A);
    insert("open", B);
    GuardedQueue.Heard<TasksResponse> heard =
        queue.begin(Method.TASKS, TasksRequest.newBuilder().addTaskId(A).addTaskId(B).build());
    GuardedQueue.Asking asking = queue.asked();
    assertThat(asking.query().queues()).containsExactly(Permission.of(Action.READ, "open"));
    queue.modify(changing(id(A, 0, ""), "secret"));
    asking.decision().complete(Decision.ALLOWED);
    assertThat(heard.response().getTasksList()).extracting(Task::getId).containsExactly(B);
  }

  @Test
  void shouldNotStreamATaskThatMovedFromAnotherQueue() throws Exception {
    insert("open", A);
    insert("open", B);
    GuardedQueue.HeardTasks heard = new GuardedQueue.HeardTasks();
    queue.guarded.handle(
        Method.STREAM_TASKS,
        GuardedQueue.CONTEXT,
        TasksRequest.newBuilder().addTaskId(A).addTaskId(B).build(),
        heard);
    GuardedQueue.Asking asking = queue.asked();
    queue.modify(changing(id(A, 0, ""), "secret"));
    asking.decision().complete(Decision.ALLOWED);
    assertThat(heard.completed.get(30, TimeUnit.SECONDS)).containsExactly(B);
  }

  @Test
  void shouldHideOnlyDeniedTasks() throws Exception {
    insert("both", T);
    insert("both", A);
    queue.begin(deleting(id(T, 0, "")).addDepends(id(A, 0, "")));
    GuardedQueue.Asking asking = queue.asked();
    assertThat(asking.query().queues())
        .containsExactly(Permission.of(Action.DELETE, "both"), Permission.of(Action.READ, "both"));
    asking.decision().complete(no("both", "DELETE"));
    assertThat(queue.asked().query().queues())
        .containsExactly(Permission.of(Action.DELETE, ""), Permission.of(Action.READ, "both"));
  }

  @Test
  void shouldNotAskAgainWithoutADecision() throws Exception {
    insert("open", T);
    GuardedQueue.Heard<ModifyResponse> heard = queue.begin(deleting(id(T, 0, "")));
    Decision unknown = Decision.unavailable("nobody is there");
    queue.asked().decision().complete(unknown);
    assertThat(heard.answer.get(30, TimeUnit.SECONDS)).isEqualTo(unknown.refusal().orElseThrow());
    queue.assertNothingAsked();
  }

  @Test
  void shouldHideAllTasksOfAListingWhenADenialNamesNone() throws Exception {
    insert("open", A);
    insert("secret", B);
    TasksRequest request = TasksRequest.newBuilder().addTaskId(A).addTaskId(B).build();
    for (Decision no : List.of(NO, no("another", "READ"))) {
      GuardedQueue.Heard<TasksResponse> heard = queue.begin(Method.TASKS, request);
      GuardedQueue.Asking asking = queue.asked();
      assertThat(asking.query().queues()).hasSize(2);
      asking.decision().complete(no);
      asking = queue.asked();
      assertThat(asking.query().queues()).containsExactly(Permission.of(Action.READ, ""));
      asking.decision().complete(Decision.ALLOWED);
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
  void shouldDoNothingForADisconnectedCaller() throws Exception {
    insert("open", T);
    GuardedQueue.Heard<ModifyResponse> heard = new GuardedQueue.Heard<>();
    Call call =
        queue.guarded.handle(
            Method.MODIFY, GuardedQueue.CONTEXT, deleting(id(T, 0, "")).build(), heard);
    GuardedQueue.Asking asking = queue.asked();
    call.cancel();
    assertThatThrownBy(() -> asking.decision().get(30, TimeUnit.SECONDS))
        .isInstanceOf(CancellationException.class);
    assertThat(queue.tasks(T, A, B)).hasSize(1);
    assertThat(heard.answer).isNotDone();
  }

  private void insert(String name, String id) throws Exception {
    queue.insert(request(), name, id);
  }

  private static ModifyRequest.Builder request() {
    return ModifyRequest.newBuilder().setClaimantId(A);
  }

  private static TaskID id(String id, int version, String queue) {
    return TaskID.newBuilder().setId(id).setVersion(version).setQueue(queue).build();
  }

  private static ModifyRequest.Builder deleting(TaskID task) {
    return request().addDeletes(task);
  }

  private static ModifyRequest.Builder changing(TaskID task, String to) {
    return request()
        .addChanges(
            TaskChange.newBuilder().setOldId(task).setNewData(TaskData.newBuilder().setQueue(to)));
  }

  private static ModifyDep dep(ActionType type, TaskID task) {
    return ModifyDep.newBuilder().setType(type).setId(task).build();
  }
}
