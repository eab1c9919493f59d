package io.entroq.console.screen;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.FeedRange;
import io.entroq.codec.wire.edge.TimeResponse;
import io.entroq.service.call.AsOfHeader;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Headers;
import io.entroq.service.call.Method;
import io.entroq.service.call.Principal;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import io.entroq.service.translation.Refusal;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Shows what is now, and says that it is of a moment of which the test says when it was. Any
 * thread.
 */
final class ScriptedPast extends ServiceFilter {
  /** The moments that were asked for, by method. */
  private final Map<Method<?, ?>, Optional<String>> asked = new ConcurrentHashMap<>();

  private volatile String shown = "731;0";
  private volatile Refusal refusal;
  private volatile FeedRange kept;
  private volatile Optional<Principal> caller = Optional.empty();

  ScriptedPast(Service next) {
    super(next);
  }

  /** Says of what is asked for later that it is of this moment. */
  void show(long sequence, long timeMs) {
    shown = sequence + ";" + timeMs;
  }

  /** Shows the present to whoever asks for the past, as a server does that does not know of it. */
  void showNow() {
    shown = "";
  }

  /** Refuses to show the past. */
  void refuse(Refusal why) {
    refusal = why;
  }

  /** Says that this is kept. */
  void keep(FeedRange range) {
    kept = range;
  }

  /** The moment that was asked for last; absent if the method was not called. */
  Map<Method<?, ?>, Optional<String>> asked() {
    return asked;
  }

  /** Who has asked for the past last. */
  Optional<Principal> caller() {
    return caller;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    Optional<String> at = context.headers().first(AsOfHeader.NAME);
    asked.put(method, at);
    if (method == Method.RANGE && kept != null) {
      reply.send((S) kept);
      return Call.done();
    }
    if (at.isEmpty()) {
      return next.handle(method, context, request, reply);
    }
    caller = context.principal();
    if (refusal != null) {
      reply.fail(refusal);
      return Call.done();
    }
    if (!shown.isEmpty()) {
      reply.metadata(AsOfHeader.NAME, shown);
    }
    if (method == Method.TIME && !shown.isEmpty()) {
      long timeMs = Long.parseLong(shown.substring(shown.indexOf(';') + 1));
      reply.send((S) TimeResponse.newBuilder().setTimeMs(timeMs).build());
      return Call.done();
    }
    return next.handle(method, now(context), request, reply);
  }

  private static CallContext now(CallContext context) {
    return new CallContext(
        context.transport(),
        Headers.NONE,
        context.deadlineNanos(),
        context.origin(),
        context.protocol(),
        context.principal());
  }
}
