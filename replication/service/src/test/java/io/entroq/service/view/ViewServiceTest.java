package io.entroq.service.view;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import io.entroq.api.Claim;
import io.entroq.api.DocInsert;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.DocQuery;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.ListPoliciesRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.PositionRequest;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.RangeRequest;
import io.entroq.codec.wire.edge.RedriveRequest;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.edge.TimeRequest;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.codec.wire.edge.WaitersRequest;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.service.call.AsOfHeader;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Headers;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import io.entroq.service.view.ViewedQueue.Asking;
import io.entroq.service.view.ViewedQueue.Heard;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads as of earlier points, over gRPC, over HTTP and within a process. */
@Timeout(300)
class ViewServiceTest {
  private static final int QUEUES = 4;
  private static final Metadata.Key<String> AT =
      Metadata.Key.of(AsOfHeader.NAME, Metadata.ASCII_STRING_MARSHALLER);

  private static final List<String> PATHS =
      List.of(
          "/api/v0/tasks?queue=q0",
          "/api/v0/queues",
          "/api/v0/queues/stats",
          "/api/v0/time",
          "/api/v0/docs?query.namespace=letters",
          "/api/v0/namespaces/stats",
          "/api/entroq/policies");

  @TempDir private Path data;
  private final long seed = Long.getLong("test.seed", 42);
  private final Random random = new Random(seed);
  private final HttpClient http = HttpClient.newHttpClient();
  private ViewedQueue viewed;
  private ManagedChannel channel;

  private void open(ViewedQueue opened) {
    viewed = opened;
    channel =
        ManagedChannelBuilder.forAddress("localhost", opened.grpc.port()).usePlaintext().build();
  }

  @AfterEach
  void close() {
    if (viewed != null) {
      channel.shutdownNow();
      viewed.close();
    }
  }

  /** A method with a request, and the service that has it. */
  private record Question<Q extends Message, S extends Message>(
      String service, Method<Q, S> method, Q request) {
    MethodDescriptor<Q, S> descriptor() {
      return MethodDescriptor.<Q, S>newBuilder()
          .setType(
              method.isStream()
                  ? MethodDescriptor.MethodType.SERVER_STREAMING
                  : MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(service + "/" + method.name())
          .setRequestMarshaller(ProtoUtils.marshaller(request))
          .setResponseMarshaller(ProtoUtils.marshaller(method.response()))
          .build();
    }
  }

  /** Each method that reads a state, but those of Insight. */
  private static List<Question<?, ?>> questions(String taskId) {
    String api = "api.EntroQ";
    String queues = "entroq.v1.Queues";
    TasksRequest tasks = TasksRequest.newBuilder().setQueue("q1").setRawValues(true).build();
    TasksRequest one = TasksRequest.newBuilder().addTaskId(taskId).build();
    return List.of(
        new Question<>(api, Method.TASKS, tasks),
        new Question<>(api, Method.TASKS, one),
        new Question<>(api, Method.STREAM_TASKS, tasks),
        new Question<>(api, Method.QUEUES, QueuesRequest.getDefaultInstance()),
        new Question<>(api, Method.QUEUE_STATS, QueuesRequest.getDefaultInstance()),
        new Question<>(api, Method.TIME, TimeRequest.getDefaultInstance()),
        new Question<>(
            api,
            Method.DOCS,
            DocsRequest.newBuilder()
                .setQuery(DocQuery.newBuilder().setNamespace("letters"))
                .build()),
        new Question<>(api, Method.NAMESPACE_STATS, NamespacesRequest.getDefaultInstance()),
        new Question<>(queues, Method.LIST_POLICIES, ListPoliciesRequest.getDefaultInstance()),
        new Question<>(
            queues, Method.POSITION, PositionRequest.newBuilder().setTaskId(taskId).build()));
  }

  private void work(int operations) {
    EntroQ queue = viewed.queue;
    for (int i = 0; i < operations; i++) {
      String name = "q" + random.nextInt(QUEUES);
      Optional<Task> task =
          random.nextInt(3) == 0
              ? Optional.empty()
              : queue.tryClaim(Claim.from(name).withLease(Duration.ofSeconds(90)));
      switch (random.nextInt(8)) {
        case 0 ->
            queue.modify(
                Modification.builder()
                    .insertDoc(DocInsert.into("letters", "key" + random.nextInt(9)).withValue("x"))
                    .build());
        case 1 ->
            queue
                .policies()
                .put(QueuePolicy.of(name).attempts(1 + random.nextInt(3)).deadQueue("dead"));
        case 2 -> task.ifPresent(claimed -> queue.modify(Modification.fail(claimed, "no " + name)));
        case 3, 4 -> task.ifPresent(claimed -> queue.modify(Modification.delete(claimed)));
        default ->
            queue
                .modify(Modification.builder().insert(name, Value.bytes(new byte[i % 40])).build())
                .orThrow();
      }
    }
  }

  /** What the server said at a point. */
  private record Remembered(
      long sequence, long timeMs, List<List<?>> answers, Map<String, String> pages) {}

  private Remembered remember(String taskId) {
    List<List<?>> answers = new ArrayList<>();
    long sequence = 0;
    for (Question<?, ?> question : questions(taskId)) {
      Heard<?> heard = ask(question, null);
      assertThat(heard.refusal()).as("%s", question).isNull();
      assertThat(heard.metadata()).doesNotContainKey(AsOfHeader.NAME);
      answers.add(List.copyOf(heard.responses()));
      String position = heard.metadata().get("position");
      sequence = position == null ? sequence : Long.parseLong(position);
    }
    Map<String, String> pages = new LinkedHashMap<>();
    for (String path : PATHS) {
      HttpResponse<String> page = get(path, null);
      assertThat(page.statusCode()).as("%s: %s", path, page.body()).isEqualTo(200);
      pages.put(path, page.body());
    }
    return new Remembered(sequence, viewed.clock.nowMs(), answers, pages);
  }

  private <Q extends Message, S extends Message> Heard<S> ask(Question<Q, S> question, String at) {
    return viewed.ask(question.method, question.request, at);
  }

  private HttpResponse<String> get(String path, String at) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + viewed.http.port() + path));
    if (at != null) {
      request.header(AsOfHeader.NAME, at);
    }
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private <Q extends Message, S extends Message> Heard<S> overGrpc(
      Question<Q, S> question, String at) {
    Metadata headers = new Metadata();
    headers.put(AT, at);
    AtomicReference<Metadata> leading = new AtomicReference<>();
    AtomicReference<Metadata> trailing = new AtomicReference<>();
    List<S> responses = new ArrayList<>();
    var intercepted =
        ClientInterceptors.intercept(
            channel,
            MetadataUtils.newAttachHeadersInterceptor(headers),
            MetadataUtils.newCaptureMetadataInterceptor(leading, trailing));
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS);
    if (question.method.isStream()) {
      ClientCalls.blockingServerStreamingCall(
              intercepted, question.descriptor(), options, question.request)
          .forEachRemaining(responses::add);
    } else {
      responses.add(
          ClientCalls.blockingUnaryCall(
              intercepted, question.descriptor(), options, question.request));
    }
    String told = trailing.get().get(AT);
    return new Heard<>(responses, null, told == null ? Map.of() : Map.of(AsOfHeader.NAME, told));
  }

  @Test
  void shouldAnswerAsItDidThen() {
    open(new ViewedQueue(data));
    String taskId = "a-task-that-stays";
    viewed
        .queue
        .modify(Modification.builder().insert(Insert.into("q1").withId(taskId)).build())
        .orThrow();
    List<Remembered> then = new ArrayList<>();
    for (int point = 0; point < 12; point++) {
      work(60);
      then.add(remember(taskId));
      viewed.clock.advance(Duration.ofMillis(40_500));
    }
    work(300);
    Heard<TimeResponse> now = viewed.ask(Method.TIME, TimeRequest.getDefaultInstance(), null);
    assertThat(now.response().getFeatures() >> 13 & 1).isEqualTo(1);

    for (Remembered point : then) {
      assertIsAsThen(point, taskId, Long.toString(point.sequence), point.sequence, point.timeMs);
    }
    for (Remembered point : List.of(then.get(3), then.get(11))) {
      String time = Instant.ofEpochMilli(point.timeMs).toString();
      assertIsAsThen(point, taskId, time, point.sequence, point.timeMs);
    }
  }

  private void assertIsAsThen(
      Remembered then, String taskId, String at, long sequence, long timeMs) {
    String told = sequence + ";" + timeMs;
    List<Question<?, ?>> questions = questions(taskId);
    for (int i = 0; i < questions.size(); i++) {
      Heard<?> inProcess = ask(questions.get(i), at);
      assertThat(inProcess.refusal()).as("seed %d, %s", seed, questions.get(i)).isNull();
      assertThat(inProcess.metadata()).containsEntry(AsOfHeader.NAME, told);
      assertSame(then.answers.get(i), inProcess.responses(), at, questions.get(i));
      Heard<?> overGrpc = overGrpc(questions.get(i), at);
      assertThat(overGrpc.metadata()).containsEntry(AsOfHeader.NAME, told);
      assertSame(then.answers.get(i), overGrpc.responses(), at, questions.get(i));
    }
    for (String path : PATHS) {
      HttpResponse<String> page = get(path, at);
      assertThat(page.headers().firstValue(AsOfHeader.NAME)).as(path).contains(told);
      assertThat(page.body())
          .as("seed %d, %s of %s", seed, path, at)
          .isEqualTo(then.pages.get(path));
    }
  }

  /** Listings have no particular order. */
  private void assertSame(List<?> then, List<?> now, String at, Question<?, ?> question) {
    assertThat(now.stream().map(ViewServiceTest::sorted).toList())
        .as("seed %d, %s as of %s", seed, question.method, at)
        .containsExactlyInAnyOrderElementsOf(then.stream().map(ViewServiceTest::sorted).toList());
  }

  private static String sorted(Object message) {
    return String.join("\n", ((MessageLite) message).toString().lines().sorted().toList());
  }

  // What is refused.

  private Refusal refused(Question<?, ?> question, String at) {
    Refusal refusal = ask(question, at).refusal();
    assertThat(refusal).as("%s as of %s", question, at).isNotNull();
    return refusal;
  }

  private static Question<?, ?> time() {
    return new Question<>("api.EntroQ", Method.TIME, TimeRequest.getDefaultInstance());
  }

  @Test
  void shouldRefuseToChangeThePastOrToWaitThere() {
    open(new ViewedQueue(data));
    work(3);
    ModifyRequest modify =
        ModifyRequest.newBuilder()
            .setClaimantId("me")
            .addInserts(TaskData.newBuilder().setQueue("made"))
            .build();
    ClaimRequest claim = ClaimRequest.newBuilder().setClaimantId("me").addQueues("q1").build();
    List<Question<?, ?>> all =
        List.of(
            new Question<>("api.EntroQ", Method.MODIFY, modify),
            new Question<>("api.EntroQ", Method.CLAIM, claim),
            new Question<>("api.EntroQ", Method.TRY_CLAIM, claim),
            new Question<>(
                "entroq.v1.Queues",
                Method.REDRIVE,
                RedriveRequest.newBuilder().setFrom("q1/err").build()),
            new Question<>("entroq.v1.Feed", Method.RANGE, RangeRequest.getDefaultInstance()),
            new Question<>(
                "entroq.v1.Insight", Method.WAITERS, WaitersRequest.getDefaultInstance()));
    for (Question<?, ?> question : all) {
      Refusal refusal = refused(question, "1");
      assertThat(refusal.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(refusal.message())
          .startsWith(question.method.label() + ": entroq-at: only the present can be written to");
    }
    assertThat(viewed.queue.queues(QueueQuery.all())).doesNotContainKey("made");
    assertThat(Method.ALL.stream().filter(Method::readsState)).hasSize(15);
  }

  @Test
  void shouldRefuseWhatIsNoPoint() {
    open(new ViewedQueue(data));
    for (String at : List.of("", "x", "-1", "1;2", "2026-13-01", "9999999999999999999", " 1")) {
      Refusal refusal = refused(time(), at);
      assertThat(refusal.code()).as(at).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(refusal.message()).contains("is neither the sequence of a record nor a time");
    }
    Headers two =
        new Headers() {
          @Override
          public Optional<String> first(String name) {
            return all(name).stream().findFirst();
          }

          @Override
          public List<String> all(String name) {
            return name.equals(AsOfHeader.NAME) ? List.of("1", "2") : List.of();
          }
        };
    Asking<TimeResponse> asking = viewed.begin(Method.TIME, TimeRequest.getDefaultInstance(), "1");
    asking.heard.orTimeout(60, TimeUnit.SECONDS).join();
    assertThat(
            catchThrowable(() -> AsOfHeader.of(new CallContext("test", two, OptionalLong.empty()))))
        .hasMessageContaining("a request names one point");
    HttpResponse<String> page = get("/api/v0/time", "x");
    assertThat(page.statusCode()).isEqualTo(400);
    assertThat(page.headers().firstValue(AsOfHeader.NAME)).isEmpty();
  }

  @Test
  void shouldSayWhatIsKept() {
    open(new ViewedQueue(data));
    work(20);
    long last = viewed.queue.feed().kept().lastSequence();
    Refusal future = refused(time(), Long.toString(last + 1));
    assertThat(future.code()).isEqualTo(Status.Code.OUT_OF_RANGE);
    assertThat(future.message())
        .startsWith("entroq-at: the log has not reached record " + (last + 1))
        .contains("its last step is " + last);
    assertThat(List.<Message>copyOf(future.details()))
        .containsExactly(
            FeedRange.newBuilder()
                .setFirstSequence(1)
                .setLastSequence(last)
                .setFirstPoint(1)
                .setFirstTimeMs(viewed.queue.feed().kept().firstTimeMs())
                .build());
    Heard<FeedRange> range = viewed.ask(Method.RANGE, RangeRequest.getDefaultInstance(), null);
    assertThat(range.response().getFirstPoint()).isEqualTo(1);
    assertThat(range.response().getLastSequence()).isEqualTo(last);
    assertThat(refused(time(), "2026-11-22").code()).isEqualTo(Status.Code.OUT_OF_RANGE);
    StatusRuntimeException overGrpc =
        (StatusRuntimeException) catchThrowable(() -> overGrpc(time(), Long.toString(last + 1)));
    assertThat(overGrpc.getStatus().getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
  }

  @Test
  void shouldSayThatNothingIsKeptInMemory() {
    open(new ViewedQueue(EmbeddedConfig.inMemory()));
    Refusal refusal = refused(time(), "1");
    assertThat(refusal.code()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(refusal.message()).contains("--data");
    Heard<TimeResponse> now = viewed.ask(Method.TIME, TimeRequest.getDefaultInstance(), null);
    assertThat(now.response().getFeatures() >> 13 & 1).isZero();
  }

  @Test
  void shouldShowTwoPointsAtOnceAndLetGoOfThemWhenTheyAreAnswered() {
    open(new ViewedQueue(data));
    work(100);
    // Streams that nobody reads hold their views.
    Stalled first = stall("20");
    Stalled second = stall("21");
    Refusal refusal = refused(time(), "22");
    assertThat(refusal.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refusal.message()).startsWith("entroq-at: limit views: ");
    assertThat(ask(time(), "21").refusal()).isNull();
    first.call.cancel();
    assertThat(ask(time(), "22").refusal()).isNull();
    second.call.cancel();
    assertThat(ask(time(), "23").refusal()).isNull();
    assertThat(ask(time(), "24").refusal()).isNull();
  }

  /** A stream that is not ready to take more after its first response. */
  private static final class Stalled implements Reply<TasksResponse> {
    private volatile boolean hasBegun;
    private volatile Call call;

    @Override
    public void position(long position) {}

    @Override
    public void metadata(String name, String value) {
      hasBegun = true;
    }

    @Override
    public boolean isReady() {
      return false;
    }

    @Override
    public void send(TasksResponse response) {}

    @Override
    public void complete() {}

    @Override
    public void fail(Refusal refusal) {
      throw new AssertionError(refusal);
    }
  }

  private Stalled stall(String at) {
    Stalled stalled = new Stalled();
    TasksRequest request = TasksRequest.newBuilder().setQueue("q1").build();
    Headers headers = name -> name.equals(AsOfHeader.NAME) ? Optional.of(at) : Optional.empty();
    stalled.call =
        viewed.service.handle(
            Method.STREAM_TASKS,
            new CallContext("test", headers, OptionalLong.empty()),
            request,
            stalled);
    until("it is open", () -> stalled.hasBegun);
    return stalled;
  }

  @Test
  void shouldEndAtTheDeadlineOfTheCall() {
    open(new ViewedQueue(data));
    work(20);
    long last = viewed.queue.feed().kept().lastSequence();
    Asking<TimeResponse> late =
        viewed.begin(
            Method.TIME,
            TimeRequest.getDefaultInstance(),
            Long.toString(last + 1),
            OptionalLong.of(System.nanoTime() + 50_000_000));
    Refusal refusal = late.heard.orTimeout(60, TimeUnit.SECONDS).join().refusal();
    assertThat(refusal.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    until("it is given up", () -> viewed.queue.views().orElseThrow().stats().open() == 0);
  }

  @Test
  void shouldGiveUpWhatNobodyWaitsFor() {
    open(new ViewedQueue(data));
    work(20);
    long last = viewed.queue.feed().kept().lastSequence();
    Asking<TimeResponse> asking =
        viewed.begin(Method.TIME, TimeRequest.getDefaultInstance(), Long.toString(last + 1));
    asking.call.cancel();
    until("it is given up", () -> viewed.queue.views().orElseThrow().stats().open() == 0);
    assertThat(asking.heard).isNotDone();
    Asking<TimeResponse> withdrawn =
        viewed.begin(Method.TIME, TimeRequest.getDefaultInstance(), Long.toString(last + 1));
    withdrawn.call.withdraw();
    assertThat(withdrawn.heard.orTimeout(60, TimeUnit.SECONDS).join().refusal().code())
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void shouldNameThePointBeforeAStreamOverHttp() throws Exception {
    open(new ViewedQueue(data));
    viewed.queue.modify(Modification.insert("q1", "x")).orThrow();
    long then = viewed.queue.feed().kept().lastSequence();
    viewed.queue.modify(Modification.insert("q1", "y")).orThrow();
    byte[] message = "{\"queue\":\"q1\"}".getBytes(StandardCharsets.UTF_8);
    ByteBuffer body = ByteBuffer.allocate(5 + message.length).put((byte) 0).putInt(message.length);
    body.put(message);
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://localhost:" + viewed.http.port() + "/api.EntroQ/StreamTasks"))
            .header("content-type", "application/connect+json")
            .header(AsOfHeader.NAME, Long.toString(then))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body.array()))
            .build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue(AsOfHeader.NAME))
        .contains(then + ";" + viewed.clock.nowMs());
    assertThat(response.body()).contains("\"x\"").doesNotContain("\"y\"");
  }

  @Test
  void shouldNotHoldUpThePresentHoweverManyAskForThePast() throws Exception {
    open(new ViewedQueue(data));
    work(600);
    AtomicInteger shown = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Random points = new Random(seed + i);
      Thread thread =
          new Thread(
              () -> {
                for (int asked = 0; asked < 125; asked++) {
                  String at = Integer.toString(20 + points.nextInt(50) * 10);
                  Refusal refusal = ask(time(), at).refusal();
                  if (refusal == null) {
                    shown.incrementAndGet();
                  } else if (refusal.code() == Status.Code.RESOURCE_EXHAUSTED) {
                    refused.incrementAndGet();
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    int present = 0;
    while (threads.stream().anyMatch(Thread::isAlive)) {
      viewed.queue.modify(Modification.insert("present", "x")).orThrow();
      present++;
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(shown.get() + refused.get()).isEqualTo(1_000);
    assertThat(shown.get()).isPositive();
    assertThat(present).as("changes of the present meanwhile").isGreaterThan(100);
    assertThat(viewed.queue.views().orElseThrow().stats().open()).isLessThanOrEqualTo(2);
  }
}
