package io.entroq.console.action;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.console.call.AdminCalls;
import io.entroq.console.call.ServiceCalls;
import io.entroq.console.read.Reads;
import io.entroq.console.read.Visit;
import io.entroq.console.user.User;
import io.entroq.console.value.ValueMask;
import io.entroq.console.web.Parameters;
import io.entroq.service.admin.NoMemberAdmin;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeletionTest {
  private static final long NOW_MS = 1_000;

  /** Lists tasks and never says that these are all. */
  private static final class Endless implements Service {
    private final List<Task> tasks;
    private final List<String> deleted = new ArrayList<>();

    Endless(Task... tasks) {
      this.tasks = List.of(tasks);
    }

    @Override
    public Facade facade() {
      return Facade.V1;
    }

    @Override
    public Optional<Refusal> check(Method<?, ?> method, CallContext context, Message request) {
      return Optional.empty();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <Q extends Message, S extends Message> Call handle(
        Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
      Message response;
      if (request instanceof ModifyRequest modify) {
        modify.getDeletesList().forEach(each -> deleted.add(each.getId()));
        response = ModifyResponse.getDefaultInstance();
      } else {
        response =
            method == Method.TIME
                ? TimeResponse.newBuilder().setTimeMs(NOW_MS).build()
                : TasksResponse.newBuilder().addAllTasks(tasks).build();
      }
      reply.send((S) response);
      return Call.done();
    }
  }

  private static Task task(String id) {
    return Task.newBuilder().setId(id).setQueue("q").build();
  }

  private static Task held(String id) {
    return task(id).toBuilder().setClaimantId("worker 7").setAtMs(NOW_MS + 1).build();
  }

  private static String delete(Endless service, int max) {
    ServiceCalls calls = new ServiceCalls(service, Runnable::run);
    Visit visit =
        new Visit(
            calls,
            new AdminCalls(new NoMemberAdmin(), Runnable::run),
            new Reads(calls, User.LOCAL, Duration.ofSeconds(10)),
            User.LOCAL,
            Parameters.NONE,
            ValueMask.NONE);
    return new Deletion(visit, "q", new Job("1", "Clear q", "ann"), Duration.ofMillis(50))
        .matching(task -> true, max);
  }

  @Test
  void shouldSayThatNotAllCouldBeLookedAt() {
    Endless service = new Endless(task("a"));
    assertThat(delete(service, 10))
        .isEqualTo("1 task is deleted. Not all could be looked at in time; start it again.");
    assertThat(service.deleted).containsExactly("a");
  }

  @Test
  void shouldPassByWhatOthersHold() {
    Endless service = new Endless(held("a"), task("b"), task("c"));
    assertThat(delete(service, 1))
        .isEqualTo("1 task is deleted; 1 stays, because others hold it. It is done.");
    assertThat(service.deleted).containsExactly("b");
  }
}
