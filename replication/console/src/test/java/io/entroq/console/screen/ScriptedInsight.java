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
import java.util.function.Function;

/** Answers what only a running insight would know with what the test says. Any thread. */
final class ScriptedInsight extends ServiceFilter {
  private final Map<Method<?, ?>, Function<Message, Message>> responses = new ConcurrentHashMap<>();
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
      responses.put(method, request -> method.response());
    }
  }

  /** Answers later requests so. */
  <S extends Message> void answer(Method<?, S> method, S response) {
    responses.put(method, request -> response);
  }

  /** Answers later requests by what they ask for. */
  @SuppressWarnings("unchecked")
  <Q extends Message, S extends Message> void answerBy(
      Method<Q, S> method, Function<Q, S> response) {
    responses.put(method, request -> response.apply((Q) request));
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
    Function<Message, Message> response = responses.get(method);
    if (response == null) {
      return next.handle(method, context, request, reply);
    }
    requests.put(method, request);
    reply.send((S) response.apply(request));
    return Call.done();
  }
}
