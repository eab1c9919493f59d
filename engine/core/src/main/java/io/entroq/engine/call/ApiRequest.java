package io.entroq.engine.call;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;

/**
 * One call of the API on its way: what it asks, as the engine reads it, and what it makes of the
 * answer.
 *
 * @param <T> what the caller gets
 */
public abstract class ApiRequest<T> {
  private final RequestKind kind;

  ApiRequest(RequestKind kind) {
    this.kind = kind;
  }

  public final RequestKind kind() {
    return kind;
  }

  /** At least so many bytes will be encoded, for which there has to be room. */
  public abstract long bytesAtLeast();

  /** Encodes the request to the slot and returns its length in bytes. */
  public abstract int encode(RequestSlot slot);

  /** Makes the caller's answer out of the result of a slot that is done. */
  public final T answer(RequestSlot slot) {
    return answer(CallCodec.reply(slot));
  }

  /** Makes the caller's answer out of a result. */
  abstract T answer(ReplyReader reply);

  /** Whether the answer is not complete, and the request is to be sent once more for the rest. */
  public boolean goesOn() {
    return false;
  }

  /** The caller's answer where nobody knows whether the request was done. */
  public T outcomeUnknown(Throwable cause) {
    throw RequestFailures.unknown(kind, cause);
  }

  /** What a code means that the request has no answer for. */
  static RuntimeException refused(ReplyReader reply) {
    return switch (reply.code()) {
      case ResultCodes.DUPLICATE_ITEM ->
          new EntroQException.InvalidArgument(
              "%s: the same %s stands in the modification twice"
                  .formatted(reply.item(), reply.isItemDoc() ? "doc" : "task"));
      case ResultCodes.KEY_COLLISION ->
          new EntroQException.InvalidArgument(
              reply.item() + ": its id has the same key as another one that is stored");
      case ResultCodes.VERSION_EXHAUSTED ->
          new EntroQException.InvalidArgument(
              reply.item() + ": its version cannot go up any more; delete it and insert it anew");
      default -> new IllegalStateException("the engine answers with code " + reply.code());
    };
  }
}
