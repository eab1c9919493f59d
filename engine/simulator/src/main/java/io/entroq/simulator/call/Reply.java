package io.entroq.simulator.call;

import io.entroq.codec.result.ResultDecoder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What comes back for a request. Immutable, and nobody changes the bytes.
 *
 * @param status what kind of answer it is
 * @param result an encoded Result, from 0 to the capacity of the buffer; null unless the ending is
 *     {@link Status#RESULT}
 */
public record Reply(Status status, DirectBuffer result) {
  /** A reply with a result, which is copied. */
  public static Reply of(DirectBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return new Reply(Status.RESULT, new UnsafeBuffer(bytes));
  }

  /** A reply with a copy of a result. */
  public static Reply of(ResultDecoder result) {
    return of(result.buffer(), result.encodedOffset(), result.encodedLength());
  }

  /** How a request ends. */
  public enum Status {
    /** It was decided; the result says how. */
    RESULT,
    /** Nothing was done, for want of room on the disk or in memory; it may be sent again. */
    EXHAUSTED,
    /** Whoever serves is not there; nobody knows what was done unless it is asked again. */
    UNAVAILABLE
  }
}
