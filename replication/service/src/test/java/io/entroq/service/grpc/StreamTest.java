package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.codec.wire.published.v1.TasksResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Listings that are longer than any message, with a reader who takes his time. */
class StreamTest {
  private static final int TASKS = 1_200;
  private static final int VALUE_CHARS = 20_000;

  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);

  @BeforeEach
  void insert() {
    for (int i = 0; i < TASKS; i += 100) {
      ModifyRequest.Builder request = ModifyRequest.newBuilder();
      for (int j = 0; j < 100; j++) {
        request.addInserts(
            V1.data("q").setId("t" + (i + j)).setValue(ServedQueue.text("x".repeat(VALUE_CHARS))));
      }
      v1.modify(request);
    }
  }

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldStreamWhatNoMessageHolds() throws Exception {
    Reader reader = new Reader();
    reader.begin();
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < TASKS; i++) {
      TasksResponse message = reader.next();
      assertThat(ids.add(message.getTasks(0).getId())).isTrue();
      assertThat(message.getTasks(0).getValue().getStringValue()).hasSize(VALUE_CHARS);
    }
    assertThat(reader.end.get(10, TimeUnit.SECONDS)).isEqualTo(Status.Code.OK);
  }

  @Test
  void shouldServeOthersWhileAReaderTakesHisTime() throws Exception {
    Reader slow = new Reader();
    slow.begin();
    slow.next();
    for (int i = 0; i < 20; i++) {
      assertThat(v1.tryClaim("c", "q").hasTask()).isTrue();
    }
    slow.call.cancel("enough", null);
    assertThat(slow.end.get(10, TimeUnit.SECONDS)).isEqualTo(Status.Code.CANCELLED);
    assertThat(v1.task("t0").getId()).isEqualTo("t0");
  }

  @Test
  void shouldRefuseOneMessageForAllAndSayWhatToDo() {
    Status status =
        ServedQueue.refusal(() -> v1.tasks(TasksRequest.newBuilder().setQueue("q"))).getStatus();
    assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(status.getDescription())
        .contains("limit message-bytes: ", "10,485,760", "StreamTasks");
    assertThat(v1.tasks(TasksRequest.newBuilder().setQueue("q").setOmitValues(true)))
        .hasSize(TASKS);
  }

  /** Takes one message when it is asked for one. */
  private final class Reader extends ClientCall.Listener<TasksResponse> {
    final ClientCall<TasksRequest, TasksResponse> call =
        served.client.channel.newCall(
            WireClient.method(
                    "api.EntroQ/StreamTasks",
                    TasksRequest.getDefaultInstance(),
                    TasksResponse.getDefaultInstance())
                .toBuilder()
                .setType(MethodType.SERVER_STREAMING)
                .build(),
            CallOptions.DEFAULT);
    final CompletableFuture<Status.Code> end = new CompletableFuture<>();
    private final BlockingQueue<TasksResponse> messages = new ArrayBlockingQueue<>(1);

    void begin() {
      call.start(this, new Metadata());
      call.sendMessage(TasksRequest.newBuilder().setQueue("q").build());
      call.halfClose();
    }

    TasksResponse next() throws InterruptedException {
      call.request(1);
      TasksResponse message = messages.poll(10, TimeUnit.SECONDS);
      assertThat(message).isNotNull();
      return message;
    }

    @Override
    public void onMessage(TasksResponse message) {
      messages.add(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status.getCode());
    }
  }
}
