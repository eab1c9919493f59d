package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A queue whose authorizer is the test, which may take its time. */
final class GuardedQueue implements AutoCloseable {
  static final CallContext CONTEXT = CallContext.of("test");

  private final EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
  private final BlockingQueue<Asking> asked = new LinkedBlockingQueue<>();

  /** Without an authorizer. */
  final Service open;

  final Service guarded;

  /** A question, and where its answer goes. */
  record Asking(AuthorizationQuery query, CompletableFuture<Decision> decision) {}

  GuardedQueue(Facade facade) {
    open = new QueueService(facade, queue.gateway(), new BlockedClaims(), 1 << 20);
    guarded =
        new AuthorizedService(
            open,
            new LoggedAuthorizer(
                query -> {
                  Asking asking = new Asking(query, new CompletableFuture<>());
                  asked.add(asking);
                  return asking.decision;
                }),
            false);
  }

  @Override
  public void close() {
    queue.close();
  }

  /** The next question. */
  Asking asked() throws InterruptedException {
    Asking asking = asked.poll(30, TimeUnit.SECONDS);
    assertThat(asking).isNotNull();
    return asking;
  }

  void assertNothingAsked() {
    assertThat(asked).isEmpty();
  }

  /** Holds that the next question is about these permissions, and grants them. */
  void allow(Permission... permissions) throws InterruptedException {
    Asking asking = asked();
    assertThat(asking.query.queues()).containsExactly(permissions);
    asking.decision.complete(Decision.ALLOWED);
  }

  <Q extends Message, S extends Message> Heard<S> begin(Method<Q, S> method, Q request) {
    Heard<S> heard = new Heard<>();
    Call unused = guarded.handle(method, CONTEXT, request, heard);
    return heard;
  }

  Heard<ModifyResponse> begin(ModifyRequest.Builder request) {
    return begin(Method.MODIFY, request.build());
  }

  /** Without asking. */
  ModifyResponse modify(ModifyRequest.Builder request) throws Exception {
    Heard<ModifyResponse> heard = new Heard<>();
    open.handle(Method.MODIFY, CONTEXT, request.build(), heard);
    return heard.response();
  }

  /** Without asking. */
  void insert(ModifyRequest.Builder by, String name, String id) throws Exception {
    modify(by.addInserts(TaskData.newBuilder().setQueue(name).setId(id)));
  }

  /** Those of these tasks that there are. */
  List<Task> tasks(String... ids) throws Exception {
    Heard<TasksResponse> heard = new Heard<>();
    open.handle(
        Method.TASKS, CONTEXT, TasksRequest.newBuilder().addAllTaskId(List.of(ids)).build(), heard);
    return heard.response().getTasksList();
  }

  /** The answers to a listing, by the ids of their tasks. */
  static final class HeardTasks implements Reply<TasksResponse> {
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
  static final class Heard<S> implements Reply<S> {
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
