package io.entroq.simulator.call;

import io.entroq.codec.result.ResultDecoder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A reply to a request. Immutable; the bytes must not change.
 *
 * @param result an encoded Result, from 0 to the capacity of the buffer; null unless the ending is
 *     {@link Status#RESULT}
 */
public record Reply(Status status, DirectBuffer result) {
  /** A reply with a copy of a result. */
  public static Reply of(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return new Reply(Status.RESULT, new UnsafeBuffer(bytes));
  }

  /** A reply with a copy of a result. */
  public static Reply of(ResultDecoder result) {
    return of(result.buffer(), result.encodedOffset(), result.encodedLength());
  }

  /** What kind of reply it is. */
  public enum Status {
    /** The request was executed; the result says how. */
    RESULT,
    /** Nothing was done, for lack of disk space or memory. The request may be repeated. */
    EXHAUSTED,
    /** The service is down. The outcome is unknown unless the request is repeated. */
    UNAVAILABLE
  }
}
