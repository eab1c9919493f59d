package io.entroq.service.grpc;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Value;
import io.entroq.codec.wire.published.stream.StreamHello;
import io.entroq.codec.wire.published.stream.StreamRequest;
import io.entroq.codec.wire.published.stream.StreamRequests;
import io.entroq.codec.wire.published.stream.StreamResponse;
import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.Task;
import io.entroq.codec.wire.published.v1.TaskID;
import io.entroq.codec.wire.published.v1.TimeRequest;
import io.entroq.codec.wire.published.v1.TimeResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Streams that carry requests. */
class RequestStreamTest {
  private static final String CLIENT = "0123456789abcdef";
  private static final String OTHER = "fedcba9876543210";
  private static final int WINDOW = 1_024;

  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldSayWhatItsClientHasToKeepTo() {
    try (RawStream stream = open()) {
      assertThat(stream.welcome().getWindow()).isEqualTo(WINDOW);
      assertThat(stream.welcome().getMessageBytesMax()).isEqualTo(10 << 20);
      assertThat(stream.welcome().getValueBytesMax()).isEqualTo(1 << 20);
    }
    TimeResponse time =
        served.client.call(
            "api.EntroQ/Time", TimeRequest.getDefaultInstance(), TimeResponse.getDefaultInstance());
    assertThat(time.getFeatures() >> 3 & 1).isEqualTo(1);
  }

  @Test
  void shouldAnswerEachRequestUnderItsNumber() {
    try (RawStream stream = open()) {
      stream.send(insert(1, "q", "a"), insert(2, "q", "b"), tryClaim(3, "q"));
      Map<Long, StreamResponse> first = stream.responses(3);
      assertThat(first.get(1L).getModify().getInserted(0).getId()).isEqualTo("a");
      assertThat(first.get(2L).getModify().getInserted(0).getId()).isEqualTo("b");
      Task task = first.get(3L).getClaim().getTask();
      assertThat(task.getVersion()).isEqualTo(1);
      assertThat(LongStream.of(1, 2, 3).map(n -> first.get(n).getPosition()))
          .doesNotHaveDuplicates()
          .isSorted()
          .allMatch(position -> position > 0);

      stream.send(delete(4, task), tryClaim(5, "none"));
      Map<Long, StreamResponse> second = stream.responses(2);
      assertThat(second.get(4L).hasModify()).isTrue();
      assertThat(second.get(5L).getClaim().hasTask()).isFalse();
    }
  }

  @Test
  void shouldTellWhyARequestIsNotDone() {
    try (RawStream stream = open()) {
      stream.send(
          modify(1, ModifyRequest.newBuilder().addDeletes(TaskID.newBuilder().setId("none"))),
          modify(2, ModifyRequest.newBuilder().addInserts(V1.data(""))),
          StreamRequest.newBuilder().setNumber(3));
      Map<Long, StreamResponse> responses = stream.responses(3);
      assertThat(responses.get(1L).getError().getCode()).isEqualTo(Status.Code.NOT_FOUND.value());
      assertThat(responses.get(1L).getError().getMessage())
          .isEqualTo("modification dependency error");
      assertThat(responses.get(1L).getError().getDependencies(1).getId().getId()).isEqualTo("none");
      assertRefused(
          responses.get(2L),
          Status.Code.INVALID_ARGUMENT,
          "modify: insert of task \"\" must name a queue");
      assertRefused(responses.get(3L), Status.Code.INVALID_ARGUMENT, "request: missing");
    }
  }

  @Test
  void shouldAnswerARequestThatCannotBeReadAndGoOn() {
    try (RawStream stream = open()) {
      ByteString broken = ByteString.copyFrom(new byte[] {0x08, 1, 0x22, 5, 0x0a, 127, 0, 0, 0});
      stream.send(
          ByteString.copyFrom(new byte[] {0x1a, (byte) broken.size()})
              .concat(broken)
              .toByteArray());
      stream.send(insert(2, "q", "a"));
      assertRefused(stream.response(), Status.Code.INVALID_ARGUMENT, "cannot be read");
      assertThat(stream.response().getNumber()).isEqualTo(2);
    }
  }

  @Test
  void shouldHoldNothingUpByAClaimThatWaits() {
    try (RawStream stream = open()) {
      stream.send(claim(1, "q"), insert(2, "other", "a"));
      assertThat(stream.response().getNumber()).isEqualTo(2);
      stream.send(insert(3, "q", "b"));
      Map<Long, StreamResponse> responses = stream.responses(2);
      assertThat(responses.get(1L).getClaim().getTask().getId()).isEqualTo("b");
      assertThat(responses.get(3L).hasModify()).isTrue();
    }
  }

  @Test
  void shouldAnswerAClaimThatIsToWaitNoLonger() {
    for (String clientId : new String[] {CLIENT, null}) {
      try (RawStream stream = RawStream.open(served.client, clientId)) {
        stream.send(claim(1, "q"), insert(2, "other", "a" + clientId));
        assertThat(stream.response().getNumber()).isEqualTo(2);
        stream.send(StreamRequests.newBuilder().addCancels(1).addCancels(2).addCancels(7));
        StreamResponse response = stream.response();
        assertThat(response.getNumber()).isEqualTo(1);
        assertRefused(response, Status.Code.CANCELLED, "withdrawn before it had a task");
        assertThat(served.server.blockedClaims()).isZero();

        stream.send(
            StreamRequests.newBuilder().addCancels(1).addRequests(insert(3, "q", "b" + clientId)));
        assertThat(stream.response().hasModify()).isTrue();
        assertThat(v1.tryClaim("c", "q").hasTask()).isTrue();
      }
    }
  }

  @Test
  void shouldAnswerByReceiptsWhatComesAgainOverAnotherStream() {
    StreamResponse inserted;
    StreamResponse claimed;
    try (RawStream stream = open()) {
      stream.send(insert(1, "q", ""), tryClaim(2, "q"));
      Map<Long, StreamResponse> responses = stream.responses(2);
      inserted = responses.get(1L);
      claimed = responses.get(2L);
    }
    try (RawStream again = open()) {
      again.send(insert(1, "q", ""), tryClaim(2, "q"), insert(3, "q", "new"));
      Map<Long, StreamResponse> responses = again.responses(3);
      assertThat(responses.get(1L).getModify().getInserted(0).getId())
          .isEqualTo(inserted.getModify().getInserted(0).getId());
      assertThat(responses.get(2L).getClaim()).isEqualTo(claimed.getClaim());
      assertThat(v1.queues(QueuesRequest.newBuilder()).get(0).getNumTasks()).isEqualTo(2);

      again.send(StreamRequests.newBuilder().setAckedBelow(3).addRequests(insert(4, "q", "d")));
      assertThat(again.response().hasModify()).isTrue();
      again.send(insert(1, "q", ""));
      assertRefused(again.response(), Status.Code.INVALID_ARGUMENT, "acked_below");
    }
  }

  @Test
  void shouldTakeRequestsWithIdentitiesOfTheirOwn() {
    ModifyRequest.Builder own =
        ModifyRequest.newBuilder()
            .setClientId(ByteString.copyFromUtf8(OTHER))
            .setRequestNumber(1)
            .addInserts(V1.data("q"));
    for (String clientId : new String[] {null, CLIENT}) {
      try (RawStream stream = RawStream.open(served.client, clientId)) {
        stream.send(modify(77, own), modify(78, own));
        Map<Long, StreamResponse> responses = stream.responses(2);
        assertThat(responses.get(77L).getModify()).isEqualTo(responses.get(78L).getModify());
      }
    }
    assertThat(v1.queues(QueuesRequest.newBuilder()).get(0).getNumTasks()).isEqualTo(1);
  }

  @Test
  void shouldEndWhenItsClientHasAndAllIsAnswered() {
    try (RawStream stream = open()) {
      stream.send(claim(1, "q"));
      stream.halfClose();
      until("the claim waits", () -> served.server.blockedClaims() == 1);
      assertThat(stream.isEnded()).isFalse();
      v1.insert("q", "a");
      assertThat(stream.response().getClaim().getTask().getId()).isEqualTo("a");
      assertThat(stream.end().getCode()).isEqualTo(Status.Code.OK);
      assertThat(served.server.openStreams()).isZero();
    }
  }

  @Test
  void shouldNotHoldWhatACallerWaitedForWhoIsGone() {
    for (String clientId : new String[] {CLIENT, null}) {
      WireClient dying = served.connect();
      RawStream.open(dying, clientId).send(claim(1, "q"));
      until("the claim waits", () -> served.server.blockedClaims() == 1);
      dying.close();
      until("nobody waits", () -> served.server.blockedClaims() == 0);
      v1.insert("q", "a" + clientId);
      assertThat(v1.tryClaim("c", "q").hasTask()).isTrue();
      until("no stream", () -> served.server.openStreams() == 0);
    }
  }

  @Test
  void shouldEndAStreamThatDoesNotBeginWithAHello() {
    endsWith(new RawStream(served.client).send(insert(1, "q", "a")), "hello: missing");
    endsWith(new RawStream(served.client).send(new byte[] {0x0a, 2, 0x0a, 9}), "hello");
    endsWith(RawStream.open(served.client, "short"), "client_id: 5 bytes");
    endsWith(
        open().send(StreamRequests.newBuilder().setHello(StreamHello.getDefaultInstance())),
        "hello: only the first");
  }

  @Test
  void shouldEndAStreamWhoseNumbersAreWrong() {
    endsWith(open().send(insert(0, "q", "a")), "number: 0");
    endsWith(open().send(insert(-1, "q", "a")), "number: 18446744073709551615");
    endsWith(open().send(claim(1, "q"), insert(1, "q", "a")), "number: 1 is open already");
    until("nobody waits", () -> served.server.blockedClaims() == 0);
  }

  @Test
  void shouldEndAStreamWhoseMessageCannotBeRead() {
    endsWith(open().send(new byte[] {0x1a, 127}), "cannot be read");
    endsWith(open().send(new byte[] {0x0c}), "cannot be read");
  }

  @Test
  void shouldEndAStreamThatOpensMoreThanItsWindow() {
    try (RawStream stream = open()) {
      StreamRequests.Builder window = StreamRequests.newBuilder();
      for (int i = 1; i <= WINDOW; i++) {
        window.addRequests(claim(i, "q"));
      }
      stream.send(window);
      until("all claims wait", () -> served.server.blockedClaims() == WINDOW);
      assertThat(stream.isEnded()).isFalse();
      stream.send(claim(WINDOW + 1, "q"));
      Status end = stream.end();
      assertThat(end.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(end.getDescription()).contains("limit stream-window: ", "the window of 1024");
      until("nobody waits", () -> served.server.blockedClaims() == 0);
    }
  }

  @Test
  void shouldSendAnswersTogetherThatAreReadyTogether() {
    try (RawStream stream = open()) {
      stream.welcome();
      int before = stream.messages();
      StreamRequests.Builder many = StreamRequests.newBuilder();
      for (int i = 1; i <= 500; i++) {
        many.addRequests(insert(i, "q", "t" + i));
      }
      stream.send(many);
      stream.responses(500);
      assertThat(stream.messages() - before).isLessThan(400);
    }
  }

  @Test
  void shouldKeepLittleForAReaderThatIsSlowAndHoldNobodyElseUp() {
    int claims = 120;
    Value value = ServedQueue.text("x".repeat(100_000));
    for (int i = 0; i < claims; i += 60) {
      ModifyRequest.Builder insert = ModifyRequest.newBuilder().setClaimantId("c");
      for (int j = i; j < i + 60; j++) {
        insert.addInserts(V1.data("q").setId("t" + j).setValue(value));
      }
      v1.modify(insert);
    }
    try (RawStream slow = open();
        RawStream other = RawStream.open(served.client, OTHER)) {
      slow.welcome();
      slow.pause();
      StreamRequests.Builder many = StreamRequests.newBuilder();
      for (int i = 1; i <= claims; i++) {
        many.addRequests(claim(i, "q"));
      }
      slow.send(many);
      until("all are claimed", () -> available() == 0);
      other.send(insert(1, "else", "a"));
      assertThat(other.response().hasModify()).isTrue();

      slow.resume();
      Map<Long, StreamResponse> responses = slow.responses(claims);
      assertThat(responses.values())
          .allMatch(response -> response.getClaim().getTask().getValue().equals(value))
          .extracting(response -> response.getClaim().getTask().getId())
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void shouldGiveBackWhatASlowReaderWhoIsGoneHasNotTaken() {
    int claims = 60;
    ModifyRequest.Builder insert = ModifyRequest.newBuilder().setClaimantId("c");
    for (int i = 0; i < claims; i++) {
      insert.addInserts(V1.data("q").setValue(ServedQueue.text("x".repeat(100_000))));
    }
    v1.modify(insert);
    WireClient dying = served.connect();
    try (RawStream slow = RawStream.open(dying, null)) {
      slow.welcome();
      slow.pause();
      StreamRequests.Builder many = StreamRequests.newBuilder();
      for (int i = 1; i <= claims; i++) {
        many.addRequests(claim(i, "q"));
      }
      slow.send(many);
      until("all are claimed", () -> available() == 0);
    }
    dying.close();
    // What had left is on its lease; the connection has room for a small part of it.
    until("the rest is back", () -> available() > claims / 2);
    assertThat(v1.tryClaim("c", "q").getTask().getClaims()).isEqualTo(1);
  }

  private long available() {
    return v1.stats(QueuesRequest.newBuilder()).get(0).getNumAvailable();
  }

  @Test
  void shouldHaveClientsReconnectWhenItIsToEnd() {
    try (RawStream stream = open();
        RawStream idle = RawStream.open(served.client, OTHER)) {
      stream.send(claim(1, "q"));
      idle.welcome();
      until("the claim waits", () -> served.server.blockedClaims() == 1);
      CompletableFuture<Boolean> drained =
          CompletableFuture.supplyAsync(() -> served.server.drain(Duration.ofSeconds(20)));
      assertRefused(stream.response(), Status.Code.DEADLINE_EXCEEDED, "shutting down");
      assertThat(stream.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(idle.end().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(drained.join()).isTrue();
    }
  }

  @Test
  void shouldAnswerOrEndWhateverComes() {
    long seed = Long.getLong("test.seed", new SplittableRandom().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    byte[] message =
        StreamRequests.newBuilder()
            .setAckedBelow(1)
            .addRequests(insert(1, "q", "a"))
            .addRequests(tryClaim(2, "q"))
            .addRequests(modify(3, ModifyRequest.newBuilder().setClientId(ByteString.EMPTY)))
            .addCancels(2)
            .build()
            .toByteArray();
    for (int i = 0; i < 400; i++) {
      byte[] mutated = message.clone();
      for (int j = random.nextInt(1, 4); j > 0; j--) {
        mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
      }
      try (RawStream stream = open()) {
        stream.send(mutated);
        stream.halfClose();
        until("it is answered or ended", () -> stream.isEnded() || stream.hasResponse());
        if (stream.isEnded()) {
          assertThat(stream.end().getCode())
              .as("seed %d: %s", seed, ByteString.copyFrom(mutated))
              .isIn(Status.Code.OK, Status.Code.INVALID_ARGUMENT, Status.Code.RESOURCE_EXHAUSTED);
        }
      }
    }
    assertThat(v1.insert("alive", "yes").getVersion()).isZero();
  }

  private RawStream open() {
    return RawStream.open(served.client, CLIENT);
  }

  private static void endsWith(RawStream stream, String words) {
    Status end = stream.end();
    assertThat(end.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(end.getDescription()).contains(words);
  }

  private static void assertRefused(StreamResponse response, Status.Code code, String words) {
    assertThat(response.getError().getCode()).as("%s", response).isEqualTo(code.value());
    assertThat(response.getError().getMessage()).contains(words);
  }

  private static StreamRequest.Builder insert(long number, String queue, String id) {
    return modify(
        number, ModifyRequest.newBuilder().setClaimantId("c").addInserts(V1.data(queue).setId(id)));
  }

  private static StreamRequest.Builder delete(long number, Task task) {
    return modify(number, ModifyRequest.newBuilder().setClaimantId("c").addDeletes(V1.ref(task)));
  }

  private static StreamRequest.Builder modify(long number, ModifyRequest.Builder request) {
    return StreamRequest.newBuilder().setNumber(number).setModify(request);
  }

  private static StreamRequest.Builder claim(long number, String queue) {
    return StreamRequest.newBuilder().setNumber(number).setClaim(claim(queue));
  }

  private static StreamRequest.Builder tryClaim(long number, String queue) {
    return StreamRequest.newBuilder().setNumber(number).setTryClaim(claim(queue));
  }

  private static ClaimRequest.Builder claim(String queue) {
    return V1.claim("c", queue);
  }
}
