package io.entroq.service.http;

import com.google.protobuf.Message;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.http.protocol.ApiRequest;
import io.entroq.service.http.protocol.ApiResponse;
import io.entroq.service.http.protocol.Deadlines;
import io.entroq.service.http.protocol.Dialect;
import io.entroq.service.http.protocol.ErrorJson;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A call with one response. The event loop decides which comes first: the response, the end of the
 * wait, the deadline, or the end of the connection.
 */
final class UnaryExchange<Q extends Message, S extends Message> extends Exchange
    implements Reply<S> {
  /** How long a withdrawn claim may take to report its outcome. */
  private static final Duration WITHDRAWAL_MAX = Duration.ofSeconds(1);

  private final Service service;
  private final RestMethod<Q, S> method;
  private final Dialect dialect;
  private final ApiRequest request;
  private Call call = Call.done();
  private OptionalLong deadlineNanos = OptionalLong.empty();
  private Future<?> waitEnd;
  private Future<?> deadlineEnd;
  private boolean hasWaited;
  private boolean isAnswered;
  private volatile long position;

  UnaryExchange(
      HttpConnection connection,
      Service service,
      RestMethod<Q, S> method,
      Dialect dialect,
      ApiRequest request) {
    super(connection);
    this.service = service;
    this.method = method;
    this.dialect = dialect;
    this.request = request;
  }

  @Override
  void begin() {
    Q message;
    try {
      deadlineNanos = dialect.deadline(request);
      message = read();
    } catch (RefusedException e) {
      connection().execute(() -> answer(dialect.refusal(e.refusal())));
      return;
    }
    call =
        service.handle(
            method.method(), connection().context(request, deadlineNanos), message, this);
    bound();
  }

  @SuppressWarnings("unchecked")
  private Q read() {
    Message.Builder message = method.method().newRequest();
    dialect.read(request, message);
    return (Q) message.build();
  }

  private void bound() {
    deadlineNanos.ifPresent(
        end -> deadlineEnd = connection().schedule(Deadlines.left(end), this::onDeadline));
    if (method.waits()) {
      waitEnd = connection().schedule(connection().config().claimWait(), this::hurry);
    }
  }

  private void onDeadline() {
    if (!isAnswered) {
      call.cancel();
      call = Call.done();
      refuse(
          new Refusal(
              Status.Code.DEADLINE_EXCEEDED, "the call did not finish before its deadline"));
    }
  }

  @Override
  void hurry() {
    if (!isAnswered && !hasWaited && method.waits()) {
      hasWaited = true;
      endTimer(waitEnd);
      call.withdraw();
      waitEnd = connection().schedule(WITHDRAWAL_MAX, this::leave);
    }
  }

  /** The claim has not reached the point where it can be withdrawn. */
  private void leave() {
    if (!isAnswered) {
      call.cancel();
      call = Call.done();
      answer(dialect.answer(method.method().response()));
    }
  }

  @Override
  public void position(long seen) {
    position = seen;
  }

  @Override
  public void send(S response) {
    connection().execute(() -> onAnswer(response));
  }

  @Override
  public void fail(Refusal refusal) {
    connection().execute(() -> onRefusal(refusal));
  }

  private void onAnswer(S message) {
    if (isAnswered) {
      return;
    }
    ApiResponse response = dialect.answer(message);
    if (connection().hasRoomFor(response) || !method.onlyReads()) {
      answer(response);
    } else {
      refuse(HttpConnection.NO_ROOM);
    }
  }

  private void onRefusal(Refusal refusal) {
    if (isEndOfWait(refusal.code())) {
      answer(dialect.answer(method.method().response()));
    } else {
      refuse(refusal);
    }
  }

  /** Whether a claim ended because its wait, or the wait of all claims, was over. */
  private boolean isEndOfWait(Status.Code code) {
    return method.waits()
        && ((hasWaited && code == Status.Code.CANCELLED)
            // Without a deadline of the caller, the server is stopping.
            || (deadlineNanos.isEmpty() && code == Status.Code.DEADLINE_EXCEEDED));
  }

  private void refuse(Refusal refusal) {
    answer(dialect.refusal(connection().config().flatErrors() ? ErrorJson.flat(refusal) : refusal));
  }

  private void answer(ApiResponse response) {
    if (isAnswered) {
      return;
    }
    isAnswered = true;
    endTimer(waitEnd);
    endTimer(deadlineEnd);
    connection().answer(this, position == 0 ? response : response.at(position));
  }

  private static void endTimer(Future<?> timer) {
    if (timer != null) {
      timer.cancel(false);
    }
  }

  @Override
  void delivered() {
    call.delivered();
  }

  @Override
  void cancel() {
    isAnswered = true;
    endTimer(waitEnd);
    endTimer(deadlineEnd);
    call.cancel();
  }
}
