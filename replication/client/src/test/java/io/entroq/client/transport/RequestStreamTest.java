package io.entroq.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.StreamError;
import io.entroq.codec.wire.edge.StreamRequest;
import io.entroq.codec.wire.edge.StreamRequests;
import io.entroq.codec.wire.edge.StreamResponse;
import io.entroq.codec.wire.edge.StreamResponses;
import io.entroq.codec.wire.edge.StreamWelcome;
import io.entroq.codec.wire.edge.TaskData;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestStreamTest {
  private static final long DEADLINE_NS = 1_000;

  private final FakeCall<StreamRequests, StreamResponses> call =
      new FakeCall<>(StreamTransport.OPEN);
  private final List<StreamExchange<?, ?>> byCall = new ArrayList<>();
  private final List<Status.Code> ends = new ArrayList<>();
  private final List<Boolean> refusals = new ArrayList<>();
  private final List<Long> positions = new ArrayList<>();
  private final RequestStream stream = new RequestStream(call, "token", 0, new Owner());

  private RequestStreamTest() {
    stream.start(new Metadata());
  }

  private void greet(int window) {
    greet(window, 10 << 20);
  }

  private void greet(int window, int messageBytesMax) {
    call.answer(
        StreamResponses.newBuilder()
            .setWelcome(
                StreamWelcome.newBuilder()
                    .setWindow(window)
                    .setMessageBytesMax(messageBytesMax)
                    .setValueBytesMax(1 << 20))
            .build());
  }

  private StreamExchange<ModifyRequest, ModifyResponse> modify(
      RecordingReceiver<ModifyResponse> heard) {
    return modify(heard, 0);
  }

  private StreamExchange<ModifyRequest, ModifyResponse> modify(
      RecordingReceiver<ModifyResponse> heard, int bytes) {
    ModifyRequest request =
        ModifyRequest.newBuilder()
            .addInserts(TaskData.newBuilder().setValue(ByteString.copyFrom(new byte[bytes])))
            .build();
    StreamExchange<ModifyRequest, ModifyResponse> exchange =
        new StreamExchange<>(Method.MODIFY, request, DEADLINE_NS, heard);
    assertThat(stream.send(exchange)).isTrue();
    return exchange;
  }

  private StreamExchange<ClaimRequest, ClaimResponse> claim(
      RecordingReceiver<ClaimResponse> heard) {
    StreamExchange<ClaimRequest, ClaimResponse> exchange =
        new StreamExchange<>(Method.CLAIM, ClaimRequest.getDefaultInstance(), DEADLINE_NS, heard);
    assertThat(stream.send(exchange)).isTrue();
    return exchange;
  }

  private static StreamResponse.Builder modified(long number) {
    return StreamResponse.newBuilder()
        .setNumber(number)
        .setModify(ModifyResponse.getDefaultInstance());
  }

  private static StreamResponse.Builder claimed(long number) {
    return StreamResponse.newBuilder()
        .setNumber(number)
        .setClaim(ClaimResponse.getDefaultInstance());
  }

  private void answer(StreamResponse.Builder... responses) {
    StreamResponses.Builder message = StreamResponses.newBuilder();
    for (StreamResponse.Builder response : responses) {
      message.addResponses(response);
    }
    call.answer(message.build());
  }

  private static List<Long> numbers(StreamRequests message) {
    return message.getRequestsList().stream().map(StreamRequest::getNumber).toList();
  }

  @Test
  void shouldSendOnlyItsHelloBeforeTheWelcome() {
    modify(new RecordingReceiver<>());
    modify(new RecordingReceiver<>());
    assertThat(call.sent()).hasSize(1);
    assertThat(call.last().hasHello()).isTrue();
    greet(10);
    assertThat(call.sent()).hasSize(2);
    assertThat(numbers(call.last())).containsExactly(1L, 2L);
    assertThat(call.last().getRequests(0).hasModify()).isTrue();
  }

  @Test
  void shouldRespectTheWindow() {
    greet(2);
    List<RecordingReceiver<ModifyResponse>> heard = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      heard.add(new RecordingReceiver<>());
      modify(heard.get(i));
    }
    assertThat(call.sent()).hasSize(3);
    answer(modified(2));
    assertThat(numbers(call.last())).containsExactly(2L);
    answer(modified(1), modified(2));
    assertThat(numbers(call.last())).hasSize(2);
    answer(modified(1), modified(2));
    heard.forEach(RecordingReceiver::answer);
  }

  @Test
  void shouldSendNothingWhileTheConnectionIsNotReady() {
    greet(10);
    call.ready(false);
    modify(new RecordingReceiver<>());
    modify(new RecordingReceiver<>());
    assertThat(call.sent()).hasSize(1);
    call.ready(true);
    assertThat(numbers(call.last())).hasSize(2);
  }

  @Test
  void shouldBatchRequestsThatResultFromOneMessage() {
    greet(10);
    for (int i = 0; i < 3; i++) {
      modify(new RecordingReceiver<ModifyResponse>().then(() -> modify(new RecordingReceiver<>())));
    }
    int before = call.sent().size();
    answer(modified(1), modified(2), modified(3));
    assertThat(call.sent()).hasSize(before + 1);
    assertThat(numbers(call.last())).containsExactlyInAnyOrder(1L, 2L, 3L);
  }

  @Test
  void shouldLimitTheLengthOfMessages() {
    greet(10, 100_000);
    call.ready(false);
    for (int i = 0; i < 4; i++) {
      modify(new RecordingReceiver<>(), 20_000);
    }
    call.ready(true);
    assertThat(call.sent().subList(1, 3)).allMatch(message -> numbers(message).size() == 2);
  }

  @Test
  void shouldSendLongRequestsAsCalls() {
    StreamExchange<?, ?> early = modify(new RecordingReceiver<>(), 60_000);
    modify(new RecordingReceiver<>(), 40_000);
    assertThat(byCall).isEmpty();
    greet(10, 100_000);
    assertThat(byCall).containsExactly(early);
    StreamExchange<?, ?> late = modify(new RecordingReceiver<>(), 60_000);
    assertThat(byCall).containsExactly(early, late);
    assertThat(numbers(call.last())).hasSize(1);
  }

  @Test
  void shouldLimitWaitingClaimsToHalfOfTheWindow() {
    RecordingReceiver<ClaimResponse> first = new RecordingReceiver<>();
    claim(first);
    for (int i = 0; i < 3; i++) {
      claim(new RecordingReceiver<>());
    }
    greet(6);
    assertThat(byCall).hasSize(1);
    claim(new RecordingReceiver<>());
    assertThat(byCall).hasSize(2);
    modify(new RecordingReceiver<>());
    assertThat(call.last().getRequests(0).hasModify()).isTrue();
    answer(claimed(1));
    first.answer();
    claim(new RecordingReceiver<>());
    assertThat(byCall).hasSize(2);
    assertThat(call.last().getRequests(0).hasClaim()).isTrue();
  }

  @Test
  void shouldNotCountClaimsCanceledBeforeSending() {
    greet(4);
    call.ready(false);
    claim(new RecordingReceiver<>()).cancel();
    StreamExchange<?, ?> late = claim(new RecordingReceiver<>());
    stream.expire(DEADLINE_NS);
    assertThat(late.isCompleted()).isTrue();
    claim(new RecordingReceiver<>());
    claim(new RecordingReceiver<>());
    assertThat(byCall).isEmpty();
    claim(new RecordingReceiver<>());
    assertThat(byCall).hasSize(1);
  }

  @Test
  void shouldReportLogPositionsOfAnswers() {
    greet(10);
    modify(new RecordingReceiver<>());
    modify(new RecordingReceiver<>());
    answer(modified(1).setPosition(7), modified(2).setPosition(5));
    assertThat(positions).endsWith(7L);
  }

  @Test
  void shouldDeliverTheAnswerToACanceledClaim() {
    greet(10);
    RecordingReceiver<ClaimResponse> heard = new RecordingReceiver<>();
    claim(heard).cancel();
    assertThat(call.last().getCancelsList()).containsExactly(1L);
    assertThat(heard.hasNone()).isTrue();
    answer(claimed(1));
    heard.answer();
  }

  @Test
  void shouldNotCancelAnotherRequestWithAReusedNumber() {
    greet(10);
    RecordingReceiver<ClaimResponse> heard = new RecordingReceiver<>();
    StreamExchange<?, ?> claim = claim(heard);
    call.ready(false);
    claim.cancel();
    answer(claimed(1));
    heard.answer();
    claim(new RecordingReceiver<>());
    call.ready(true);
    assertThat(numbers(call.last())).containsExactly(1L);
    assertThat(call.last().getCancelsList()).isEmpty();
    claim.cancel();
    assertThat(call.sent()).hasSize(3);
  }

  @Test
  void shouldNotSendCanceledRequests() {
    RecordingReceiver<ModifyResponse> heard = new RecordingReceiver<>();
    modify(heard).cancel();
    assertThat(heard.failure().code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(heard.failure().isSent()).isFalse();
    greet(10);
    assertThat(call.sent()).hasSize(1);
  }

  @Test
  void shouldFailRequestsAtTheirDeadline() {
    greet(2);
    RecordingReceiver<ClaimResponse> claim = new RecordingReceiver<>();
    RecordingReceiver<ModifyResponse> sent = new RecordingReceiver<>();
    RecordingReceiver<ModifyResponse> unsent = new RecordingReceiver<>();
    claim(claim);
    modify(sent);
    modify(unsent);
    stream.expire(DEADLINE_NS - 1);
    assertThat(claim.hasNone() && sent.hasNone() && unsent.hasNone()).isTrue();
    stream.expire(DEADLINE_NS);
    assertThat(claim.failure().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(sent.failure().isSent()).isTrue();
    assertThat(unsent.failure().isSent()).isFalse();
    assertThat(call.last().getCancelsList()).containsExactly(1L);
    // Both stay open until the server answers, which is ignored.
    answer(claimed(1), modified(2));
    stream.expire(2 * DEADLINE_NS);
    assertThat(sent.failure().isSent()).isTrue();
    assertThat(call.sent()).hasSize(4);
  }

  @Test
  void shouldReportWhetherRequestsOfAnEndedStreamWereSent() {
    greet(1);
    RecordingReceiver<ModifyResponse> sent = new RecordingReceiver<>();
    RecordingReceiver<ModifyResponse> unsent = new RecordingReceiver<>();
    modify(sent);
    modify(unsent);
    call.end(Status.INVALID_ARGUMENT.withDescription("number: 1 is open already"));
    assertThat(sent.failure().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(sent.failure().message()).contains("number: 1 is open already");
    assertThat(sent.failure().isSent()).isTrue();
    assertThat(unsent.failure().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(unsent.failure().isSent()).isFalse();
    assertThat(refusals).containsExactly(false);
    assertThat(stream.isOpen()).isFalse();
    assertThat(stream.send(exchange())).isFalse();
  }

  private static StreamExchange<ModifyRequest, ModifyResponse> exchange() {
    return new StreamExchange<>(
        Method.MODIFY, ModifyRequest.getDefaultInstance(), DEADLINE_NS, new RecordingReceiver<>());
  }

  @Test
  void shouldSendAllAsCallsIfTheStreamIsRefused() {
    RecordingReceiver<ModifyResponse> heard = new RecordingReceiver<>();
    StreamExchange<?, ?> exchange = modify(heard);
    call.end(Status.UNIMPLEMENTED);
    assertThat(byCall).containsExactly(exchange);
    assertThat(heard.hasNone()).isTrue();
    assertThat(refusals).containsExactly(true);
  }

  @Test
  void shouldNotTreatUnavailableAsRefusal() {
    RecordingReceiver<ModifyResponse> heard = new RecordingReceiver<>();
    modify(heard);
    call.end(Status.UNAVAILABLE.withDescription("connection refused"));
    assertThat(byCall).isEmpty();
    assertThat(heard.failure().isTransient()).isTrue();
    assertThat(heard.failure().isSent()).isFalse();
    assertThat(refusals).containsExactly(false);
  }

  @Test
  void shouldTreatAMissingWelcomeAsRefusal() {
    StreamExchange<?, ?> exchange = modify(new RecordingReceiver<>());
    stream.cancelIfNotWelcomed(TimeUnit.SECONDS.toNanos(4));
    assertThat(call.isCancelled()).isFalse();
    stream.cancelIfNotWelcomed(TimeUnit.SECONDS.toNanos(5));
    assertThat(call.isCancelled()).isTrue();
    assertThat(byCall).containsExactly(exchange);
    assertThat(refusals).containsExactly(true);
  }

  @Test
  void shouldNotCancelAfterTheWelcome() {
    greet(10);
    stream.cancelIfNotWelcomed(TimeUnit.HOURS.toNanos(1));
    assertThat(call.isCancelled()).isFalse();
  }

  @Test
  void shouldEndARetiredStreamOnceAllIsAnswered() {
    greet(10);
    StreamExchange<?, ?> claim = claim(new RecordingReceiver<>());
    modify(new RecordingReceiver<>());
    stream.retire();
    assertThat(stream.send(exchange())).isFalse();
    assertThat(call.isHalfClosed()).isFalse();
    claim.cancel();
    assertThat(call.last().getCancelsList()).containsExactly(1L);
    answer(modified(2));
    assertThat(call.isHalfClosed()).isFalse();
    answer(claimed(1));
    assertThat(call.isHalfClosed()).isTrue();
    call.end(Status.OK);
    assertThat(refusals).containsExactly(false);
  }

  @Test
  void shouldDeliverFailureDetails() {
    greet(10);
    RecordingReceiver<ModifyResponse> heard = new RecordingReceiver<>();
    modify(heard);
    answer(
        StreamResponse.newBuilder()
            .setNumber(1)
            .setError(
                StreamError.newBuilder()
                    .setCode(Status.Code.NOT_FOUND.value())
                    .setMessage("modification dependency error")
                    .addDependencies(ModifyDep.newBuilder().setType(ActionType.DELETE))));
    assertThat(heard.failure().code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(heard.failure().details().get(0).getTypeUrl()).endsWith("api.ModifyDep");
  }

  @Test
  void shouldRefuseAnAnswerOfAnotherMethod() {
    greet(10);
    RecordingReceiver<ModifyResponse> wrong = new RecordingReceiver<>();
    RecordingReceiver<ModifyResponse> none = new RecordingReceiver<>();
    RecordingReceiver<ModifyResponse> right = new RecordingReceiver<>();
    modify(wrong);
    modify(none);
    modify(right);
    answer(claimed(1), StreamResponse.newBuilder().setNumber(2), modified(3));
    assertThat(wrong.failure().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(none.failure().isOutcomeUnknown()).isTrue();
    right.answer();
  }

  @Test
  void shouldIgnoreAnswersToUnknownNumbers() {
    greet(10);
    RecordingReceiver<ModifyResponse> heard = new RecordingReceiver<>();
    modify(heard);
    answer(modified(0), modified(2), modified(Long.MAX_VALUE), modified(-1), modified(1));
    heard.answer();
    answer(modified(1));
    heard.answer();
  }

  /** Records what the stream reports. */
  private final class Owner implements RequestStream.Owner {
    @Override
    public boolean isInUse() {
      return true;
    }

    @Override
    public void notePosition(long position) {
      positions.add(position);
    }

    @Override
    public void onEnded(RequestStream ended, Status status, boolean isRefused) {
      ends.add(status.getCode());
      refusals.add(isRefused);
    }

    @Override
    public void sendAsCall(StreamExchange<?, ?> exchange) {
      byCall.add(exchange);
    }
  }
}
