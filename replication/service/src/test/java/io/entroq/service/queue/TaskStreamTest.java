package io.entroq.service.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.SteppedCall;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskStreamTest {
  /** Several pages. */
  private static final int TASKS = 5_000;

  private final EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
  private final Service service =
      new QueueService(Facade.V1, queue.gateway(), new BlockedClaims(), 1 << 20);

  @AfterEach
  void close() {
    queue.close();
  }

  @Test
  void shouldSendEachTaskOnceToAReaderThatIsReadyAtOnce() throws Exception {
    Modification.Builder inserts = Modification.builder();
    for (int i = 0; i < TASKS; i++) {
      inserts.insert(Insert.into("q").withId("t" + i).withValue("x".repeat(100)));
    }
    queue.modify(inserts.build()).orThrow();
    SteppedCall call = new SteppedCall();
    EagerReply reply = new EagerReply(call);
    call.step(
        () ->
            service.handle(
                Method.STREAM_TASKS,
                CallContext.of("test"),
                TasksRequest.newBuilder().setQueue("q").build(),
                reply));
    assertThat(reply.ids.get(50, TimeUnit.SECONDS)).hasSize(TASKS).doesNotHaveDuplicates();
  }

  /** Is ready for the next task as soon as it has one, and says so. */
  private static final class EagerReply implements Reply<TasksResponse> {
    private final SteppedCall call;
    private final List<String> got = new ArrayList<>();
    private final CompletableFuture<List<String>> ids = new CompletableFuture<>();

    EagerReply(SteppedCall call) {
      this.call = call;
    }

    @Override
    public void position(long position) {
      assertThat(position).isPositive();
    }

    @Override
    public void send(TasksResponse response) {
      got.add(response.getTasks(0).getId());
      call.ready();
    }

    @Override
    public void complete() {
      ids.complete(got);
    }

    @Override
    public void fail(Refusal refusal) {
      ids.completeExceptionally(new AssertionError(refusal.toString()));
    }
  }
}
