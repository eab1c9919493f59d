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
import io.entroq.service.protojson.Defaults;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Status;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A call with one response. It ends with whichever reaches the event loop first: the response, the
 * deadline, the end of the connection, or that of the server.
 *
 * <p>A claim may wait for hours, while proxies cut connections on which nothing is sent. So its
 * response begins early, with blanks before the JSON. After that its status cannot change any more:
 * a claim that fails ends with its connection.
 */
final class UnaryExchange<Q extends Message, S extends Message> extends Exchange
    implements Reply<S> {
  private static final int OK = 200;
  private static final byte[] BLANK = {' '};

  /** How long a withdrawn claim may take to report its outcome. */
  private static final Duration WITHDRAWAL_MAX = Duration.ofSeconds(1);

  private final Service service;
  private final RestMethod<Q, S> method;
  private final Dialect dialect;
  private final ApiRequest request;
  private Call call = Call.done();
  private OptionalLong deadlineNanos = OptionalLong.empty();
  private Protocol protocol = Protocol.UNDECLARED;
  private Future<?> waitTimer;
  private Future<?> deadlineTimer;
  private boolean hasWaited;
  private boolean hasBegun;
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
    Q message;
    try {
      protocol = Protocol.of(request.headers());
      deadlineNanos = dialect.deadline(request);
      message = read();
    } catch (RefusedException e) {
      connection().execute(() -> respond(dialect.refusal(e.refusal(), Defaults.of(protocol))));
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
    // A caller that sets a deadline wants to see its status.
    if (method.waits()
        && deadlineNanos.isEmpty()
        && dialect.allowsBlanks()
        && connection().isHttp11()) {
      scheduleBlank();
    }
  }

  private void scheduleBlank() {
    Duration heartbeat = connection().config().claimHeartbeat();
    if (!heartbeat.isZero()) {
      waitTimer = connection().schedule(heartbeat, this::writeBlank);
    }
  }

  private void writeBlank() {
    if (hasResponded || hasWaited) {
      return;
    }
    if (!hasBegun) {
      hasBegun = true;
      Map<String, String> headers = new HashMap<>(metadata);
      // Some proxies keep a response until it is complete.
      headers.put("x-accel-buffering", "no");
      connection().beginChunked(ApiResponse.JSON, headers);
    }
    connection().writeChunk(Unpooled.wrappedBuffer(BLANK));
    scheduleBlank();
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
      respondToEnd();
    }
  }

  /** Responds to a claim without a task, since the server stops. */
  private void respondToEnd() {
    if (protocol.isDeclared()) {
      refuse(BlockedClaims.ended(protocol));
    } else {
      respond(dialect.response(method.method().response(), Defaults.of(protocol)));
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
    ApiResponse response = dialect.response(message, Defaults.of(protocol));
    if (connection().hasRoomFor(response) || !method.onlyReads()) {
      respond(response);
    } else {
      refuse(HttpConnection.NO_ROOM);
    }
  }

  private void onRefusal(Refusal refusal) {
    if (isEndOfWait(refusal.code())) {
      respondToEnd();
    } else {
      refuse(refusal);
    }
  }

  /** Whether a claim ended because the server stops. */
  private boolean isEndOfWait(Status.Code code) {
    return method.waits()
        && ((hasWaited && code == Status.Code.CANCELLED)
            // The caller set no deadline, so the server is stopping.
            || (deadlineNanos.isEmpty() && code == Status.Code.DEADLINE_EXCEEDED));
  }

  private void refuse(Refusal refusal) {
    respond(dialect.refusal(refusal, Defaults.of(protocol)));
  }

  private void respond(ApiResponse response) {
    if (hasResponded) {
      return;
    }
    hasResponded = true;
    cancelTimer(waitTimer);
    cancelTimer(deadlineTimer);
    if (hasBegun) {
      finish(response);
      return;
    }
    ApiResponse complete = response;
    for (Map.Entry<String, String> header : metadata.entrySet()) {
      complete = complete.with(header.getKey(), header.getValue());
    }
    connection().respond(this, position == 0 ? complete : complete.at(position));
  }

  /** Sends the rest of a response that began with blanks. */
  private void finish(ApiResponse response) {
    if (response.status() != OK) {
      connection().abort(this);
      return;
    }
    connection()
        .writeLastChunk(
            this,
            Unpooled.wrappedBuffer(response.body()),
            position == 0 ? response.headers() : response.at(position).headers());
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
