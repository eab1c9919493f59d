package io.entroq.engine.call;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;

/**
 * One call of the API: encodes its request and decodes its result.
 *
 * @param <T> type of the result
 */
public abstract class ApiRequest<T> {
  private final RequestKind kind;

  ApiRequest(RequestKind kind) {
    this.kind = kind;
  }

  public final RequestKind kind() {
    return kind;
  }

  /** A lower bound of the encoded length, to reserve memory for the request. */
  public abstract long bytesAtLeast();

  /** Encodes the request to the slot and returns its length in bytes. */
  public abstract int encode(RequestSlot slot);

  /** Decodes the result from a completed slot. */
  public final T answer(RequestSlot slot) {
    return answer(CallCodec.reply(slot));
  }

  abstract T answer(ReplyReader reply);

  /** Whether the result is incomplete, so that the request must be sent again for the rest. */
  public boolean goesOn() {
    return false;
  }

  /** The result if the outcome is unknown. */
  public T outcomeUnknown(Throwable cause) {
    throw RequestFailures.unknown(kind, cause);
  }

  /** The exception for a code that is an error for every request. */
  static RuntimeException refused(ReplyReader reply) {
    return switch (reply.code()) {
      case ResultCodes.DUPLICATE_ITEM ->
          new EntroQException.InvalidArgument(
              "%s: the same %s appears twice in the modification"
                  .formatted(reply.item(), reply.itemNoun()));
      case ResultCodes.KEY_COLLISION ->
          new EntroQException.InvalidArgument(
              reply.item() + ": its id has the same key as another id that is stored");
      case ResultCodes.VERSION_EXHAUSTED ->
          new EntroQException.InvalidArgument(
              reply.item()
                  + ": its version cannot increase any further; delete it and insert it again");
      default -> new IllegalStateException("unexpected result code " + reply.code());
    };
  }
}
