package io.entroq.service.grpc;

import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Headers;
import io.entroq.service.call.Protocol;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Receives one call: starts it when its message has arrived, and passes the transport's events on.
 * One event at a time.
 */
final class GrpcCall extends ServerCall.Listener<RequestBytes> {
  private static final String TRANSPORT = "grpc";

  /** One more than allowed, to detect a second message. */
  private static final int MESSAGES = 2;

  private final Handler handler;
  private final GrpcReply<?> reply;
  private final CallContext context;
  private RequestBytes request;
  private int requests;
  private volatile Call running = Call.done();

  private GrpcCall(Handler handler, GrpcReply<?> reply, CallContext context) {
    this.handler = handler;
    this.reply = reply;
    this.context = context;
    reply.onAbandoned(() -> running.cancel());
  }

  /** Receives a call, unless it declares a protocol that is not served. */
  static ServerCall.Listener<RequestBytes> of(
      ServerCall<RequestBytes, ?> call,
      Metadata metadata,
      Facade facade,
      GrpcReply<?> reply,
      Handler handler) {
    Headers headers = new GrpcHeaders(metadata);
    Protocol protocol;
    try {
      protocol = facade == Facade.V0 ? Protocol.UNDECLARED : Protocol.of(headers);
    } catch (RefusedException e) {
      reply.fail(e.refusal());
      return new ServerCall.Listener<>() {};
    }
    call.request(MESSAGES);
    return new GrpcCall(
        handler,
        reply,
        new CallContext(TRANSPORT, headers, deadlineNanos(), GrpcOrigins.of(call), protocol));
  }

  private static OptionalLong deadlineNanos() {
    Deadline deadline = Context.current().getDeadline();
    return deadline == null
        ? OptionalLong.empty()
        : OptionalLong.of(System.nanoTime() + deadline.timeRemaining(TimeUnit.NANOSECONDS));
  }

  @Override
  public void onMessage(RequestBytes message) {
    request = message;
    requests++;
  }

  @Override
  public void onHalfClose() {
    if (requests != 1) {
      reply.fail(Refusal.invalid("the call has " + requests + " messages instead of one"));
      return;
    }
    try {
      running = handler.handle(context, request);
    } catch (RefusedException e) {
      reply.fail(e.refusal());
    }
    request = null;
  }

  @Override
  public void onCancel() {
    reply.end();
    running.cancel();
  }

  @Override
  public void onComplete() {
    if (reply.end()) {
      // The peer reads again, but the response was cut.
      running.cancel();
    } else {
      running.delivered();
    }
  }

  @Override
  public void onReady() {
    running.ready();
  }

  /** Starts the call for a message. */
  @FunctionalInterface
  interface Handler {
    /**
     * Starts the call.
     *
     * @throws RefusedException if the message cannot be read
     */
    Call handle(CallContext context, RequestBytes request);
  }
}
