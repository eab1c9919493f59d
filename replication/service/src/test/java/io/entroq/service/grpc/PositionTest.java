package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.refusal;
import static io.entroq.service.grpc.ServedQueue.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Message;
import io.entroq.codec.wire.published.v1.ClaimDocsRequest;
import io.entroq.codec.wire.published.v1.ClaimDocsResponse;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.DocQuery;
import io.entroq.codec.wire.published.v1.DocsRequest;
import io.entroq.codec.wire.published.v1.DocsResponse;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.ModifyResponse;
import io.entroq.codec.wire.published.v1.NamespacesRequest;
import io.entroq.codec.wire.published.v1.NamespacesResponse;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.QueuesResponse;
import io.entroq.codec.wire.published.v1.TaskID;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.codec.wire.published.v1.TasksResponse;
import io.entroq.codec.wire.published.v1.TimeRequest;
import io.entroq.codec.wire.published.v1.TimeResponse;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.service.testing.Await;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How far the log had come that an answer has seen, and reads that ask for that. */
class PositionTest {
  private static final Metadata.Key<String> POSITION =
      Metadata.Key.of("entroq-position", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> MIN_POSITION =
      Metadata.Key.of("entroq-min-position", Metadata.ASCII_STRING_MARSHALLER);
  private static final QueuesRequest QUEUES = QueuesRequest.getDefaultInstance();
  private static final QueuesResponse QUEUES_ANSWER = QueuesResponse.getDefaultInstance();

  private final ServedQueue served = new ServedQueue(EmbeddedConfig.inMemory().build());
  private final V1 v1 = new V1(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldTellWithEachAnswerHowFarTheLogHadCome() {
    ModifyRequest insert = ModifyRequest.newBuilder().addInserts(V1.data("q")).build();
    long inserted = position("Modify", insert, ModifyResponse.getDefaultInstance());
    assertThat(inserted).isPositive();
    ClaimRequest claim = V1.claim("c", "q").build();
    ClaimResponse task = ClaimResponse.getDefaultInstance();
    long claimed = position("TryClaim", claim, task);
    assertThat(claimed).isGreaterThan(inserted);
    v1.modify(insert.toBuilder());
    long waited = position("Claim", claim, task);
    assertThat(waited).isGreaterThan(claimed + 1);

    new V1Docs(served.client).insert(V1Docs.data("n", "k", "s"));
    ClaimDocsRequest docs = V1Docs.claim("c", "n", "k", 1_000).build();
    long held = position("ClaimDocs", docs, ClaimDocsResponse.getDefaultInstance());
    assertThat(held).isGreaterThan(waited + 1);
    assertThat(position("Queues", QUEUES, QUEUES_ANSWER)).isGreaterThanOrEqualTo(held);
  }

  @Test
  void shouldTellItWithARefusalToo() {
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    ModifyRequest delete =
        ModifyRequest.newBuilder().addDeletes(TaskID.newBuilder().setId("none")).build();
    Channel channel = intercepted(capture(trailers));
    assertThat(
            refusal(() -> call(channel, "Modify", delete, ModifyResponse.getDefaultInstance()))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
    assertThat(Long.parseLong(trailers.get().get(POSITION))).isPositive();
  }

  @Test
  void shouldReadAtOnceWhatIsThere() {
    v1.insert("q", "t");
    long position = position("Queues", QUEUES, QUEUES_ANSWER);
    Channel channel = asking(Long.toString(position));
    assertThat(call(channel, "Queues", QUEUES, QUEUES_ANSWER).getQueuesCount()).isEqualTo(1);
    assertThat(call(channel, "QueueStats", QUEUES, QUEUES_ANSWER).getQueuesCount()).isEqualTo(1);
    TasksRequest tasks = TasksRequest.newBuilder().setQueue("q").build();
    TasksResponse none = TasksResponse.getDefaultInstance();
    assertThat(call(channel, "Tasks", tasks, none).getTasksCount()).isEqualTo(1);
    assertThat(stream(channel, tasks, none)).hasSize(1);
    TimeResponse time =
        call(channel, "Time", TimeRequest.getDefaultInstance(), TimeResponse.getDefaultInstance());
    assertThat(time.getTimeMs()).isPositive();
    assertThat(call(asking("0"), "Queues", QUEUES, QUEUES_ANSWER).getQueuesCount()).isEqualTo(1);
  }

  @Test
  void shouldReadWhenTheLogHasComeSoFar() throws Exception {
    long position = position("Queues", QUEUES, QUEUES_ANSWER);
    Channel later = asking(Long.toString(position + 2));
    List<ListenableFuture<? extends Message>> reads = new ArrayList<>();
    reads.add(begin(later, "Queues", QUEUES, QUEUES_ANSWER, 60_000));
    reads.add(
        begin(
            later,
            "Tasks",
            TasksRequest.newBuilder().setQueue("q").build(),
            TasksResponse.getDefaultInstance(),
            60_000));
    reads.add(
        begin(
            later,
            "Docs",
            DocsRequest.newBuilder().setQuery(DocQuery.newBuilder().setNamespace("n")).build(),
            DocsResponse.getDefaultInstance(),
            60_000));
    reads.add(
        begin(
            later,
            "NamespaceStats",
            NamespacesRequest.getDefaultInstance(),
            NamespacesResponse.getDefaultInstance(),
            60_000));
    v1.insert("q", "t");
    assertThat(call(served.client.channel, "Queues", QUEUES, QUEUES_ANSWER).getQueuesCount())
        .isEqualTo(1);
    assertThat(reads).noneMatch(ListenableFuture::isDone);

    new V1Docs(served.client).insert(V1Docs.data("n", "k", "s"));

    for (ListenableFuture<? extends Message> read : reads) {
      assertThat(read.get(10, TimeUnit.SECONDS).getAllFields()).hasSize(1);
    }
  }

  @Test
  void shouldEndWithTheDeadlineAndLetGo() {
    Channel never = asking(Long.toString(Long.MAX_VALUE));
    for (int round = 0; round < 2; round++) {
      List<ListenableFuture<QueuesResponse>> reads = new ArrayList<>();
      for (int i = 0; i < 600; i++) {
        reads.add(begin(never, "Queues", QUEUES, QUEUES_ANSWER, 200));
      }
      assertThat(reads).allMatch(read -> code(read) == Status.Code.DEADLINE_EXCEEDED);
    }
    assertThat(v1.queues(QUEUES.toBuilder())).isEmpty();
  }

  @Test
  void shouldRefuseMoreThanMayWait() {
    Channel never = asking(Long.toString(Long.MAX_VALUE));
    List<ListenableFuture<QueuesResponse>> reads = new ArrayList<>();
    for (int i = 0; i < 1_025; i++) {
      reads.add(begin(never, "Queues", QUEUES, QUEUES_ANSWER, 60_000));
    }
    Await.until(
        "one is too many", () -> reads.stream().filter(ListenableFuture::isDone).count() == 1);
    assertThat(reads.stream().filter(ListenableFuture::isDone))
        .allMatch(read -> code(read) == Status.Code.RESOURCE_EXHAUSTED);
    reads.forEach(read -> read.cancel(true));
    // Those who have gone make room.
    assertThat(code(begin(never, "Queues", QUEUES, QUEUES_ANSWER, 200)))
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void shouldRefuseWhatIsNoPosition() {
    for (String wrong : List.of("", "x", "-1", "+1", "1.0", "1 2", "9223372036854775808", "0x1")) {
      refuses(() -> call(asking(wrong), "Queues", QUEUES, QUEUES_ANSWER), "entroq-min-position");
    }
  }

  @Test
  void shouldTellThoseWhoWaitThatTheEngineEnds() {
    ListenableFuture<QueuesResponse> read =
        begin(asking("1000"), "Queues", QUEUES, QUEUES_ANSWER, 60_000);
    v1.insert("q", "t");
    served.queue.close();
    assertThat(code(read)).isEqualTo(Status.Code.UNAVAILABLE);
  }

  private <Q extends Message, A extends Message> long position(String method, Q request, A answer) {
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    call(intercepted(capture(trailers)), method, request, answer);
    return Long.parseLong(trailers.get().get(POSITION));
  }

  private static ClientInterceptor capture(AtomicReference<Metadata> trailers) {
    return MetadataUtils.newCaptureMetadataInterceptor(new AtomicReference<>(), trailers);
  }

  private Channel asking(String position) {
    Metadata headers = new Metadata();
    headers.put(MIN_POSITION, position);
    return intercepted(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private Channel intercepted(ClientInterceptor interceptor) {
    return ClientInterceptors.intercept(served.client.channel, interceptor);
  }

  private static <Q extends Message, A extends Message> A call(
      Channel channel, String method, Q request, A answer) {
    return ClientCalls.blockingUnaryCall(
        channel,
        WireClient.method("api.EntroQ/" + method, request, answer),
        CallOptions.DEFAULT,
        request);
  }

  private static List<TasksResponse> stream(
      Channel channel, TasksRequest request, TasksResponse answer) {
    List<TasksResponse> answers = new ArrayList<>();
    ClientCalls.blockingServerStreamingCall(
            channel,
            WireClient.method("api.EntroQ/StreamTasks", request, answer).toBuilder()
                .setType(MethodType.SERVER_STREAMING)
                .build(),
            CallOptions.DEFAULT,
            request)
        .forEachRemaining(answers::add);
    return answers;
  }

  private static <Q extends Message, A extends Message> ListenableFuture<A> begin(
      Channel channel, String method, Q request, A answer, long deadlineMs) {
    return ClientCalls.futureUnaryCall(
        channel.newCall(
            WireClient.method("api.EntroQ/" + method, request, answer),
            CallOptions.DEFAULT.withDeadlineAfter(deadlineMs, TimeUnit.MILLISECONDS)),
        request);
  }

  private static Status.Code code(ListenableFuture<?> call) {
    try {
      call.get(30, TimeUnit.SECONDS);
      return Status.Code.OK;
    } catch (ExecutionException e) {
      return Status.fromThrowable(e).getCode();
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
