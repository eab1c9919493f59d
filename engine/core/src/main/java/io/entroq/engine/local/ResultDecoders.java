package io.entroq.engine.local;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.request.RequestSlot;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Decoders of results, one for each thread that tells of answers. A decoder is many small objects:
 * one for each request under way would be out of the caches whenever its turn comes.
 */
final class ResultDecoders {
  /** Longer results are let go of at once. */
  private static final int KEPT_BYTES_MAX = 4 * 1024;

  private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

  /** Null while it is in use: whoever is told of an answer may be told of another meanwhile. */
  private static final ThreadLocal<ResultDecoder> SPARE = new ThreadLocal<>();

  private ResultDecoders() {}

  /** The result of a slot that is done. To be given {@link #back}. */
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

  /** Nobody looks at the result any more. The thread that has read it. */
  static void back(ResultDecoder reader) {
    if (reader.encodedLength() > KEPT_BYTES_MAX) {
      reader.wrap(NOTHING, 0, 0);
    }
    SPARE.set(reader);
  }
}
