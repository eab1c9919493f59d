package io.entroq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.worker.Backoff;
import io.entroq.client.FakeTransport.Sent;
import io.entroq.client.transport.Failure;
import io.entroq.client.transport.Method;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A request that is resent to another server before the first one has answered. */
class PendingCallTest {
  private final FakeTransport transport = new FakeTransport(0);
  private final Dispatcher dispatcher =
      new Dispatcher(transport, Backoff.constant(Duration.ofMillis(1)), Duration.ofSeconds(20));
  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    dispatcher.close();
  }

  private PendingCall<ModifyRequest, ModifyResponse> ask(RetryPolicy repeat) {
    PendingCall<ModifyRequest, ModifyResponse> ask =
        new PendingCall<>(
            dispatcher,
            Method.MODIFY,
            ModifyRequest::getDefaultInstance,
            repeat,
            20_000,
            new Completion());
    ask.start();
    return ask;
  }

  private String end() throws InterruptedException {
    return ends.poll(10, TimeUnit.SECONDS);
  }

  @Test
  void shouldAcceptTheAnswerOfTheFirstServer() throws Exception {
    PendingCall<ModifyRequest, ModifyResponse> unused = ask(RetryPolicy.ANY_TIME);
    Sent first = transport.next();
    dispatcher.failOver();
    Sent second = transport.next();
    first.answer(ModifyResponse.getDefaultInstance());
    assertThat(end()).isEqualTo("answer");
    assertThat(dispatcher.hasOpen()).isFalse();
    second.answer(ModifyResponse.getDefaultInstance());
    assertThat(ends).isEmpty();
  }

  @Test
  void shouldWaitForTheLastServer() throws Exception {
    PendingCall<ModifyRequest, ModifyResponse> unused = ask(RetryPolicy.ANY_TIME);
    Sent first = transport.next();
    dispatcher.failOver();
    Sent second = transport.next();
    first.fail(Status.Code.UNAVAILABLE, "gone", true);
    first.fail(Status.Code.INVALID_ARGUMENT, "what is that", true);
    assertThat(transport.waiting()).isZero();
    assertThat(ends).isEmpty();
    second.answer(ModifyResponse.getDefaultInstance());
    assertThat(end()).isEqualTo("answer");
  }

  @Test
  void shouldReportUnknownOutcomeIfTheSecondServerRefuses() throws Exception {
    PendingCall<ModifyRequest, ModifyResponse> unused = ask(RetryPolicy.ANY_TIME);
    Sent first = transport.next();
    dispatcher.failOver();
    transport.next().fail(Status.Code.PERMISSION_DENIED, "no", true);
    assertThat(end()).isEqualTo("PERMISSION_DENIED, maybe done");
    first.answer(ModifyResponse.getDefaultInstance());
    assertThat(ends).isEmpty();
  }

  @Test
  void shouldNotSendUnrepeatableRequestsToTwoServers() throws Exception {
    for (RetryPolicy repeat :
        new RetryPolicy[] {RetryPolicy.IF_UNSENT, RetryPolicy.AFTER_FAILURE}) {
      PendingCall<ModifyRequest, ModifyResponse> unused = ask(repeat);
      Sent only = transport.next();
      dispatcher.failOver();
      assertThat(transport.waiting()).isZero();
      only.answer(ModifyResponse.getDefaultInstance());
      assertThat(end()).isEqualTo("answer");
    }
  }

  @Test
  void shouldRememberEarlierAttemptsWhenThereIsNoToken() throws Exception {
    PendingCall<ModifyRequest, ModifyResponse> unused = ask(RetryPolicy.ANY_TIME);
    Sent first = transport.next();
    transport.loseToken();
    first.fail(Status.Code.UNAVAILABLE, "gone", true);
    assertThat(end()).isEqualTo("UNAUTHENTICATED, maybe done");
    PendingCall<ModifyRequest, ModifyResponse> unsent = ask(RetryPolicy.ANY_TIME);
    assertThat(end()).isEqualTo("UNAUTHENTICATED");
    assertThat(unsent.lastUnavailable()).isNull();
    assertThat(dispatcher.hasOpen()).isFalse();
  }

  @Test
  void shouldRetryUnknownOutcomes() throws Exception {
    PendingCall<ModifyRequest, ModifyResponse> unused = ask(RetryPolicy.ANY_TIME);
    transport.next().fail(Status.Code.UNKNOWN, "the engine failed with it under way", true);
    transport.next().answer(ModifyResponse.getDefaultInstance());
    assertThat(end()).isEqualTo("answer");
  }

  private final class Completion implements PendingCall.Completion<ModifyResponse> {
    @Override
    public void onAnswer(ModifyResponse answer) {
      ends.add("answer");
    }

    @Override
    public void onFailure(Failure failure, boolean maybeDone) {
      ends.add(failure.code() + (maybeDone ? ", maybe done" : ""));
    }

    @Override
    public void onException(RuntimeException exception) {
      ends.add(exception.toString());
    }
  }
}
