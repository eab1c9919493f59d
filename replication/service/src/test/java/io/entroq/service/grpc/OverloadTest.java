package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.refusal;
import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Message;
import io.entroq.codec.wire.published.stream.StreamRequest;
import io.entroq.codec.wire.published.stream.StreamRequests;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.DocQuery;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.codec.wire.published.v1.TasksResponse;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.admission.Admission;
import io.entroq.service.admission.AdmissionConfig;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** More than there may be: some wait, some are refused, and everybody else is served. */
class OverloadTest {
  private static final AdmissionConfig ROOM =
      new AdmissionConfig(100, 100, 64 << 20, 10 << 20, 1_000, 16 << 20, Duration.ofSeconds(30));

  /** Streams have nine mebibytes, of which one connection gets half, and each has one. */
  private static final AdmissionConfig ROOM_FOR_FOUR =
      new AdmissionConfig(100, 100, 18 << 20, 10 << 20, 100, 16 << 20, Duration.ofSeconds(30));

  private final List<AutoCloseable> open = new ArrayList<>();
  private GrpcServer server;
  private Admission admission;

  @AfterEach
  void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  @Test
  void shouldCutConnectionsThatAreTooMany() throws Exception {
    // Of three one address may have two.
    serve(new GrpcLimits(3, 100, 100, 64 << 20, 8 << 10), ROOM);
    V1 first = connect();
    first.insert("q", "a");
    WireClient second = new WireClient(server.port());
    new V1(second).insert("q", "b");
    V1 third = connect();
    assertThat(refusal(() -> third.insert("q", "c")).getStatus().getCode())
        .isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(first.task("a").getId()).isEqualTo("a");
    second.close();
    until("there is room", () -> server.connections() < 2);
    V1 fourth = connect();
    fourth.insert("q", "d");
    assertThat(server.connections()).isEqualTo(2);
  }

  @Test
  void shouldRefuseCallsThatAreTooManyOverAllConnections() throws Exception {
    // Of those that others leave a connection may have half.
    serve(new GrpcLimits(10, 100, 5, 64 << 20, 8 << 10), ROOM);
    V1 first = connect();
    V1 second = connect();
    ListenableFuture<ClaimResponse> one = first.beginClaim(V1.claim("c", "q").build());
    ListenableFuture<ClaimResponse> two = second.beginClaim(V1.claim("c", "q").build());
    until("both wait", () -> server.blockedClaims() == 2);
    ListenableFuture<ClaimResponse> three = second.beginClaim(V1.claim("c", "p").build());
    until("all wait", () -> server.blockedClaims() == 3);
    assertThat(refusal(() -> first.insert("q", "a")).getStatus().getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    three.cancel(true);
    until("there is room for others", () -> server.calls() == 2);
    one.cancel(true);
    until("there is room", () -> server.calls() == 1);
    second.insert("q", "a");
    assertThat(two.get(10, TimeUnit.SECONDS).hasTask()).isTrue();
  }

  @Test
  void shouldHaveCallsOfOneConnectionWaitAtTheClient() throws Exception {
    serve(new GrpcLimits(10, 2, 100, 64 << 20, 8 << 10), ROOM);
    V1 client = connect();
    // What a connection may carry is known once it is there.
    client.insert("p", "a");
    List<ListenableFuture<ClaimResponse>> claims = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      claims.add(client.beginClaim(V1.claim("c", "q").build()));
    }
    until("two wait", () -> server.blockedClaims() == 2);
    V1 other = connect();
    for (int i = 0; i < 4; i++) {
      other.insert("q", "t" + i);
    }
    for (ListenableFuture<ClaimResponse> claim : claims) {
      assertThat(claim.get(10, TimeUnit.SECONDS).hasTask()).isTrue();
    }
  }

  @Test
  void shouldRefuseARequestForWhichThereIsNoRoomWhileItComesIn() throws Exception {
    serve(new GrpcLimits(10, 100, 100, 1 << 20, 8 << 10), ROOM);
    V1 client = connect();
    assertThat(refusal(() -> client.modify(sized(5 << 20))).getStatus().getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    until("it is forgotten", () -> server.incomingBytes() == 0);
    client.insert("q", "a");
    assertThat(server.incomingBytes()).isZero();
  }

  @Test
  void shouldEndTheClaimsOfAStreamThatIsRefusedForWhatComesIn() throws Exception {
    serve(new GrpcLimits(10, 100, 100, 1 << 20, 8 << 10), ROOM);
    V1 client = connect();
    try (RawStream stream = RawStream.open(client.client(), null)) {
      stream.send(StreamRequest.newBuilder().setNumber(1).setClaim(V1.claim("c", "q").build()));
      until("it waits", () -> server.blockedClaims() == 1);
      stream.send(StreamRequest.newBuilder().setNumber(2).setModify(sized(5 << 20)));
      assertThat(stream.end().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      until("it waits no longer", () -> server.blockedClaims() == 0);
    }
    client.insert("q", "a");
    assertThat(client.tryClaim("d", "q").hasTask()).isTrue();
    assertThat(client.queues(QueuesRequest.newBuilder()).get(0).getNumTasks()).isEqualTo(1);
    assertThat(server.openStreams()).isZero();
  }

  @Test
  void shouldHaveClaimsWaitForTheirTurn() throws Exception {
    serve(
        GrpcLimits.DEFAULT,
        // Of six one connection may have three.
        new AdmissionConfig(100, 6, 64 << 20, 10 << 20, 100, 16 << 20, Duration.ofSeconds(30)));
    V1 client = connect();
    List<ListenableFuture<ClaimResponse>> claims = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      claims.add(client.beginClaim(V1.claim("c", "q").build()));
    }
    until("some wait for a task, the others to do so", () -> admission.waiting() == 7);
    assertThat(server.blockedClaims()).isEqualTo(3);
    for (int i = 0; i < 10; i++) {
      client.insert("q", "t" + i);
    }
    List<String> ids = new ArrayList<>();
    for (ListenableFuture<ClaimResponse> claim : claims) {
      ids.add(claim.get(10, TimeUnit.SECONDS).getTask().getId());
    }
    assertThat(ids).hasSize(10).doesNotHaveDuplicates();
    until("all have left", () -> admission.claimsUnderWay() == 0);
    assertThat(admission.waiting()).isZero();
  }

  @Test
  void shouldEndClaimsThatWaitForTheirTurnWhenTheServerEnds() throws Exception {
    serve(
        GrpcLimits.DEFAULT,
        new AdmissionConfig(100, 1, 64 << 20, 10 << 20, 100, 16 << 20, Duration.ofSeconds(30)));
    V1 client = connect();
    List<ListenableFuture<ClaimResponse>> claims = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      claims.add(client.beginClaim(V1.claim("c", "q").build()));
    }
    until("they wait", () -> admission.waiting() == 4);
    assertThat(server.drain(Duration.ofSeconds(10))).isTrue();
    for (ListenableFuture<ClaimResponse> claim : claims) {
      assertThat(refusal(() -> getDone(claim)).getStatus().getCode())
          .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    }
  }

  @Test
  void shouldServeOthersWhileManyReadNothingAndCutThose() throws Exception {
    serve(impatient(Duration.ofMillis(400)), ROOM_FOR_FOUR);
    V1 other = connect();
    insertManyPages(other);
    V1 stalled = connect();
    List<Unread<TasksResponse>> unread = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      unread.add(Unread.tasks(stalled));
    }
    until("there is no room for more of them", () -> admission.waiting() == 2);
    V1Docs docs = new V1Docs(other.client());
    assertThat(docs.claim("me", "ns", "key")).isEmpty();
    assertThat(docs.docs(DocQuery.newBuilder().setNamespace("ns"))).isEmpty();
    assertThat(other.queues(QueuesRequest.newBuilder())).hasSize(1);
    until("all have been cut", () -> server.cutAnswers() == 6);
    until("none has room", () -> admission.requestsUnderWay() + admission.waiting() == 0);
    unread.get(0).readOn();
    assertThat(unread.get(0).end.get(10, TimeUnit.SECONDS).getCode())
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void shouldSayWhyToWhoeverComesBackToAStreamThatHeHasNotRead() throws Exception {
    serve(impatient(Duration.ofSeconds(1)), ROOM_FOR_FOUR);
    V1 client = connect();
    insertManyPages(client);
    Unread<TasksResponse> unread = Unread.tasks(connect());
    until("he has been cut", () -> server.cutAnswers() == 1);
    unread.readOn();
    Status end = unread.end.get(10, TimeUnit.SECONDS);
    assertThat(end.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(end.getDescription())
        .contains("limit stall: ", "nothing of the response was read", "1000 ms");
    until("he is forgotten", () -> admission.requestsUnderWay() == 0);
  }

  @Test
  void shouldGiveBackWhatAClaimGotWhoseAnswerNobodyReads() throws Exception {
    serve(impatient(Duration.ofMillis(400)), ROOM);
    V1 client = connect();
    client.modify(
        ModifyRequest.newBuilder()
            .addInserts(V1.data("q").setValue(ServedQueue.text("x".repeat(10_000)))));
    WireClient narrow = WireClient.withWindow(server.port(), 1_000);
    open.add(narrow);
    Unread<ClaimResponse> unread =
        new Unread<>(
            new V1(narrow),
            "Claim",
            MethodType.UNARY,
            V1.claim("c", "q").build(),
            ClaimResponse.getDefaultInstance());
    until("it has been cut", () -> server.cutAnswers() == 1);
    until("it has no room", () -> admission.claimsUnderWay() == 0);
    until("its task is there again", () -> client.tryClaim("d", "q").hasTask());
    assertThat(unread.end).isNotDone();
  }

  @Test
  void shouldCutAStreamOfRequestsWhoseAnswersNobodyReads() throws Exception {
    serve(impatient(Duration.ofMillis(400)), ROOM);
    V1 client = connect();
    insertManyPages(client);
    WireClient narrow = WireClient.withWindow(server.port(), 1_000);
    open.add(narrow);
    RawStream idle = RawStream.open(narrow, null);
    idle.welcome();
    RawStream unread = RawStream.open(narrow, null);
    unread.welcome();
    unread.pause();
    StreamRequests.Builder claims = StreamRequests.newBuilder();
    for (int i = 1; i <= 400; i++) {
      claims.addRequests(StreamRequest.newBuilder().setNumber(i).setClaim(V1.claim("c", "q")));
    }
    unread.send(claims);
    until("it has been cut", () -> server.cutAnswers() == 1);
    until("it has no room", () -> admission.claimsUnderWay() == 0);
    until("what had not left is there again", () -> available(client) > 300);
    assertThat(server.openStreams()).isEqualTo(1);
    unread.resume();
    assertThat(unread.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(unread.end().getDescription())
        .contains("limit stall: ", "nothing of the response was read", "400 ms");
    assertThat(idle.isEnded()).isFalse();
  }

  @Test
  void shouldServeOthersAtOnceWhileOneConnectionReadsNoneOfFiveThousandListings() throws Exception {
    serve(
        new GrpcLimits(10, 16_384, 32_768, 64 << 20, 8 << 10),
        new AdmissionConfig(
            1_000, 100, 64 << 20, 10 << 20, 2_000, 16 << 20, Duration.ofMinutes(5)));
    V1 other = connect();
    for (int i = 0; i < 10; i++) {
      other.insert("q", "t" + i);
    }
    WireClient narrow = WireClient.withWindow(server.port(), 1);
    open.add(narrow);
    V1 hog = new V1(narrow);
    List<Unread<TasksResponse>> unread = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      unread.add(
          new Unread<>(
              hog,
              "Tasks",
              MethodType.UNARY,
              TasksRequest.newBuilder().setQueue("q").build(),
              TasksResponse.getDefaultInstance()));
    }
    until("it has its share", () -> admission.requestsUnderWay() == 500);
    until("the others are refused or wait", () -> refused(unread) + admission.waiting() == 4_500);
    assertThat(refused(unread)).isGreaterThanOrEqualTo(3_500);
    int waiting = admission.waiting();
    for (int i = 0; i < 100; i++) {
      assertThat(other.tasks(TasksRequest.newBuilder().setQueue("q"))).hasSize(10);
    }
    assertThat(admission.waiting()).as("those that wait for their own share").isEqualTo(waiting);
    // Which of them these are depends on the threads that admit them.
    for (Unread<TasksResponse> call : unread) {
      if (call.end.isDone()) {
        assertThat(call.end.get().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(call.end.get().getDescription())
            .contains("share of the queue", "limit queued-calls: ");
      }
    }
  }

  private static long refused(List<Unread<TasksResponse>> calls) {
    return calls.stream().filter(call -> call.end.isDone()).count();
  }

  private static int available(V1 client) {
    return client.stats(QueuesRequest.newBuilder()).get(0).getNumAvailable();
  }

  private static GrpcLimits impatient(Duration stallMax) {
    return new GrpcLimits(10, 100, 100, 64 << 20, 8 << 10, stallMax);
  }

  /** Six mebibytes, more than transports hold, in small messages. */
  private static void insertManyPages(V1 client) {
    for (int i = 0; i < 4; i++) {
      ModifyRequest.Builder request = ModifyRequest.newBuilder();
      for (int j = 0; j < 100; j++) {
        request.addInserts(V1.data("q").setValue(ServedQueue.text("x".repeat(15_000))));
      }
      client.modify(request);
    }
  }

  /** An answer that nobody reads until he is told to. */
  private static final class Unread<S extends Message> extends ClientCall.Listener<S> {
    final CompletableFuture<Status> end = new CompletableFuture<>();
    private final ClientCall<?, S> call;

    <Q extends Message> Unread(V1 client, String method, MethodType type, Q request, S answer) {
      ClientCall<Q, S> asked =
          client
              .client()
              .channel
              .newCall(
                  WireClient.method("api.EntroQ/" + method, request, answer).toBuilder()
                      .setType(type)
                      .build(),
                  CallOptions.DEFAULT);
      asked.start(this, new Metadata());
      asked.sendMessage(request);
      asked.halfClose();
      call = asked;
    }

    static Unread<TasksResponse> tasks(V1 client) {
      return new Unread<>(
          client,
          "StreamTasks",
          MethodType.SERVER_STREAMING,
          TasksRequest.newBuilder().setQueue("q").build(),
          TasksResponse.getDefaultInstance());
    }

    void readOn() {
      call.request(Integer.MAX_VALUE);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status);
    }
  }

  private static void getDone(ListenableFuture<ClaimResponse> claim) throws Throwable {
    try {
      claim.get(10, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  private static ModifyRequest.Builder sized(int bytes) {
    ModifyRequest.Builder request = ModifyRequest.newBuilder();
    for (int i = 0; i < bytes >> 19; i++) {
      request.addInserts(V1.data("q").setValue(ServedQueue.text("x".repeat(1 << 19))));
    }
    return request;
  }

  private void serve(GrpcLimits bounds, AdmissionConfig room) throws IOException {
    EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
    open.add(queue);
    admission = new Admission(room);
    open.add(admission);
    server =
        GrpcServer.start(
            queue.gateway(), GrpcServerConfig.on(0, 10 << 20, bounds), admission::before);
    open.add(server);
  }

  private V1 connect() {
    WireClient client = new WireClient(server.port());
    open.add(client);
    return new V1(client);
  }
}
