package io.entroq.engine.embedded;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultCodes;

/**
 * One call of the API on its way: what it asks, as the engine reads it, and what it makes of the
 * answer.
 *
 * @param <T> what the caller gets
 */
abstract class Request<T> {
  private final RequestKind kind;

  Request(RequestKind kind) {
    this.kind = kind;
  }

  final RequestKind kind() {
    return kind;
  }

  /** At least so many bytes will be encoded, for which there has to be room. */
  abstract long bytesAtLeast();

  /** Encodes the request to the slot and returns its length in bytes. */
  abstract int encode(RequestSlot slot);

  /** Makes the caller's answer out of a result. */
  abstract T answer(ReplyReader reply);

  /** Whether the answer is not complete, and the request is to be sent once more for the rest. */
  boolean goesOn() {
    return false;
  }

  /** The caller's answer where nobody knows whether the request was done. */
  T outcomeUnknown(Throwable cause) {
    throw Failures.unknown(kind, cause);
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
