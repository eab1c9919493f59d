package io.entroq.service.queue;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.gateway.Completion;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts a result to a response and sends it, or a refusal if that fails. */
final class ResultReply<S> implements Completion {
  private static final Logger LOG = LoggerFactory.getLogger(ResultReply.class);

  private final Reply<S> reply;
  private final Function<ResultDecoder, S> answer;

  /**
   * @param answer makes the response; may throw a {@link RefusedException}
   */
  ResultReply(Reply<S> reply, Function<ResultDecoder, S> answer) {
    this.reply = reply;
    this.answer = answer;
  }

  @Override
  public void onResult(ResultDecoder result) {
    S response;
    try {
      reply.position(result.sequence());
      response = answer.apply(result);
    } catch (RuntimeException e) {
      reply.fail(refusal(e));
      return;
    }
    reply.send(response);
  }

  @Override
  public void onFailure(EntroQException failure) {
    reply.fail(Refusal.of(failure));
  }

  /** The refusal for an exception. */
  static Refusal refusal(RuntimeException e) {
    if (e instanceof RefusedException refused) {
      return refused.refusal();
    }
    if (e instanceof EntroQException failure) {
      return Refusal.of(failure);
    }
    LOG.error("A request met a fault of this server.", e);
    return Refusal.FAULT;
  }
}
