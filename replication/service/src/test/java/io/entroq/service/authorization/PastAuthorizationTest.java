package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Change;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.Gateway;
import io.entroq.service.call.AsOfHeader;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Headers;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.entroq.service.view.ViewService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever asks as of then needs permission for the queue in which a task was then. */
class PastAuthorizationTest {
  private static final String ID = "0123456789abcdef";

  @TempDir private Path data;
  private final List<Permission> asked = new CopyOnWriteArrayList<>();
  private EmbeddedEntroQ queue;
  private Service guarded;

  /** The sequence at which the task was in the queue that is closed to the caller. */
  private String then;

  @BeforeEach
  void open() {
    queue = EmbeddedEntroQ.open(EmbeddedConfig.in(data).build());
    Task task =
        queue
            .modify(Modification.builder().insert(Insert.into("secret").withId(ID)).build())
            .orThrow()
            .inserted()
            .get(0);
    then = Long.toString(queue.feed().kept().lastSequence());
    queue.modify(Modification.change(Change.of(task).moveTo("open"))).orThrow();
    Service present = service(queue.gateway());
    Service viewed = new ViewService(present, queue.views(), view -> service(view.gateway()));
    guarded = new AuthorizedService(viewed, new LoggedAuthorizer(this::decide), true);
  }

  private static Service service(Gateway gateway) {
    return new QueueService(Facade.V1, gateway, new BlockedClaims(), 1 << 20);
  }

  private CompletableFuture<Decision> decide(AuthorizationQuery query) {
    asked.addAll(query.queues());
    boolean isAllowed =
        query.queues().stream().noneMatch(permission -> permission.name().equals("secret"));
    return CompletableFuture.completedFuture(
        isAllowed ? Decision.ALLOWED : Decision.denied(List.of(), List.of()));
  }

  @AfterEach
  void close() {
    queue.close();
  }

  /** The ids of what is shown, or the code of the refusal. */
  private List<String> tasks(TasksRequest request, String at) {
    CompletableFuture<List<String>> heard = new CompletableFuture<>();
    guarded.handle(
        Method.TASKS,
        context(at),
        request,
        new Reply<TasksResponse>() {
          @Override
          public void position(long position) {}

          @Override
          public void send(TasksResponse response) {
            List<String> ids = new ArrayList<>();
            response.getTasksList().forEach(task -> ids.add(task.getId()));
            heard.complete(ids);
          }

          @Override
          public void fail(Refusal refusal) {
            heard.complete(List.of(refusal.code().name()));
          }
        });
    return heard.orTimeout(60, TimeUnit.SECONDS).join();
  }

  private static CallContext context(String at) {
    Headers headers =
        name -> name.equals(AsOfHeader.NAME) ? Optional.ofNullable(at) : Optional.empty();
    return new CallContext("test", headers, OptionalLong.empty());
  }

  @Test
  void shouldAskForTheQueueOfThen() {
    TasksRequest byId = TasksRequest.newBuilder().addTaskId(ID).build();
    assertThat(tasks(byId, null)).containsExactly(ID);
    assertThat(asked).containsExactly(Permission.of(Action.READ, "open"));
    asked.clear();
    assertThat(tasks(byId, then)).as("as if it did not exist").isEmpty();
    assertThat(asked).contains(Permission.of(Action.READ, "secret"));
    assertThat(tasks(TasksRequest.newBuilder().setQueue("secret").build(), then))
        .containsExactly("PERMISSION_DENIED");
    assertThat(tasks(TasksRequest.newBuilder().setQueue("open").build(), then)).isEmpty();
  }
}
