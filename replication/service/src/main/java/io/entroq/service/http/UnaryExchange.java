package io.entroq.service.http;

import com.google.protobuf.Message;
import io.entroq.service.call.Call;
import io.entroq.service.call.Protocol;
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
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A call with one response. It ends with whichever reaches the event loop first: the response, the
 * end of the wait, the deadline, or the end of the connection.
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
  private Future<?> waitTimer;
  private Future<?> deadlineTimer;
  private boolean hasWaited;
  private boolean hasResponded;
  private volatile long position;
  private volatile Map<String, String> metadata = Map.of();

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
    Protocol protocol;
    Q message;
    try {
      protocol = Protocol.of(request.headers());
      deadlineNanos = dialect.deadline(request);
      message = read();
    } catch (RefusedException e) {
      connection().execute(() -> respond(dialect.refusal(e.refusal())));
      return;
    }
    call =
        service.handle(
            method.method(), connection().context(request, deadlineNanos, protocol), message, this);
    startTimers();
  }

  @SuppressWarnings("unchecked")
  private Q read() {
    Message.Builder message = method.method().newRequest();
    dialect.read(request, message);
    return (Q) message.build();
  }

  private void startTimers() {
    deadlineNanos.ifPresent(
        end -> deadlineTimer = connection().schedule(Deadlines.left(end), this::onDeadline));
    if (method.waits()) {
      waitTimer = connection().schedule(connection().config().claimWait(), this::endWait);
    }
  }

  private void onDeadline() {
    if (!hasResponded) {
      call.cancel();
      call = Call.done();
      refuse(
          new Refusal(
              Status.Code.DEADLINE_EXCEEDED, "the call did not finish before its deadline"));
    }
  }

  @Override
  void endWait() {
    if (!hasResponded && !hasWaited && method.waits()) {
      hasWaited = true;
      cancelTimer(waitTimer);
      call.withdraw();
      waitTimer = connection().schedule(WITHDRAWAL_MAX, this::abandon);
    }
  }

  /** Gives up on a claim that did not report its outcome. */
  private void abandon() {
    if (!hasResponded) {
      call.cancel();
      call = Call.done();
      respond(dialect.response(method.method().response()));
    }
  }

  @Override
  public void position(long newPosition) {
    position = newPosition;
  }

  /** One thread at a time. */
  @Override
  public void metadata(String name, String value) {
    Map<String, String> more = new HashMap<>(metadata);
    more.put(name, value);
    metadata = more;
  }

  @Override
  public void send(S response) {
    connection().execute(() -> onResponse(response));
  }

  @Override
  public void fail(Refusal refusal) {
    connection().execute(() -> onRefusal(refusal));
  }

  private void onResponse(S message) {
    if (hasResponded) {
      return;
    }
    ApiResponse response = dialect.response(message);
    if (connection().hasRoomFor(response) || !method.onlyReads()) {
      respond(response);
    } else {
      refuse(HttpConnection.NO_ROOM);
    }
  }

  private void onRefusal(Refusal refusal) {
    if (isEndOfWait(refusal.code())) {
      respond(dialect.response(method.method().response()));
    } else {
      refuse(refusal);
    }
  }

  /** Whether a claim ended because its wait, or that of all claims, is over. */
  private boolean isEndOfWait(Status.Code code) {
    return method.waits()
        && ((hasWaited && code == Status.Code.CANCELLED)
            // The caller set no deadline, so the server is stopping.
            || (deadlineNanos.isEmpty() && code == Status.Code.DEADLINE_EXCEEDED));
  }

  private void refuse(Refusal refusal) {
    respond(
        dialect.refusal(connection().config().flatErrors() ? ErrorJson.flat(refusal) : refusal));
  }

  private void respond(ApiResponse response) {
    if (hasResponded) {
      return;
    }
    hasResponded = true;
    cancelTimer(waitTimer);
    cancelTimer(deadlineTimer);
    ApiResponse complete = response;
    for (Map.Entry<String, String> header : metadata.entrySet()) {
      complete = complete.with(header.getKey(), header.getValue());
    }
    connection().respond(this, position == 0 ? complete : complete.at(position));
  }

  private static void cancelTimer(Future<?> timer) {
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
    hasResponded = true;
    cancelTimer(waitTimer);
    cancelTimer(deadlineTimer);
    call.cancel();
  }
}
