package io.entroq.engine.local;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.request.RequestSlot;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Decoders of results, one per thread that completes requests. A decoder consists of many small
 * objects: with one per request in flight, they would be out of the caches when needed.
 */
final class ResultDecoders {
  /** Longer results are released at once. */
  private static final int KEPT_BYTES_MAX = 4 * 1024;

  private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

  /** Null while it is in use: a completion may complete another request. */
  private static final ThreadLocal<ResultDecoder> SPARE = new ThreadLocal<>();

  private ResultDecoders() {}

  /** The result of a slot that is done. Return it with {@link #back}. */
  static ResultDecoder read(RequestSlot slot) {
    ResultDecoder reader = SPARE.get();
    if (reader == null) {
      reader = new ResultDecoder();
    } else {
      SPARE.set(null);
    }
    reader.wrap(slot.result(), 0, slot.resultLength);
    return reader;
  }

  /** Returns a decoder, on the thread that has read it. */
  static void back(ResultDecoder reader) {
    if (reader.encodedLength() > KEPT_BYTES_MAX) {
      reader.wrap(NOTHING, 0, 0);
    }
    SPARE.set(reader);
  }
}
