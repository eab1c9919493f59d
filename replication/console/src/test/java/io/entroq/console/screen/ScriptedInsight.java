package io.entroq.console.screen;

import com.google.protobuf.Message;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.call.ServiceFilter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Answers what only a running insight would know with what the test says. Any thread. */
final class ScriptedInsight extends ServiceFilter {
  private final Map<Method<?, ?>, Message> responses = new ConcurrentHashMap<>();
  private final Map<Method<?, ?>, Message> requests = new ConcurrentHashMap<>();

  ScriptedInsight(Service next) {
    super(next);
    for (Method<?, ?> method :
        new Method<?, ?>[] {
          Method.OVERVIEW,
          Method.SEARCH_QUEUES,
          Method.RATES,
          Method.FAILURES,
          Method.WORKERS,
          Method.DEAD_LETTERS,
          Method.WAITERS
        }) {
      responses.put(method, method.response());
    }
  }

  /** Answers later requests so. */
  <S extends Message> void answer(Method<?, S> method, S response) {
    responses.put(method, response);
  }

  /** The last request. */
  @SuppressWarnings("unchecked")
  <Q extends Message> Q asked(Method<Q, ?> method) {
    return (Q) requests.get(method);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <Q extends Message, S extends Message> Call handle(
      Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
    Message response = responses.get(method);
    if (response == null) {
      return next.handle(method, context, request, reply);
    }
    requests.put(method, request);
    reply.send((S) response);
    return Call.done();
  }
}
