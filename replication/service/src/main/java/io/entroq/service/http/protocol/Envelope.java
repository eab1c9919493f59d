package io.entroq.service.http.protocol;

import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The header of each message of a Connect stream: a byte of flags, then the length. */
public final class Envelope {
  public static final int BYTES = Byte.BYTES + Integer.BYTES;
  public static final byte MESSAGE = 0;
  public static final byte END = 2;

  private Envelope() {}

  /**
   * The one message of a body.
   *
   * @throws RefusedException if there is not exactly one
   */
  public static byte[] only(byte[] body) {
    if (body.length < BYTES) {
      throw invalid("it has " + body.length + " bytes, fewer than an envelope");
    }
    ByteBuffer head = ByteBuffer.wrap(body);
    byte flags = head.get();
    if (flags != MESSAGE) {
      throw invalid("flags " + flags + ": only uncompressed messages are supported");
    }
    long length = Integer.toUnsignedLong(head.getInt());
    if (length != body.length - BYTES) {
      throw invalid(
          "the envelope announces %d bytes, but %d follow".formatted(length, body.length - BYTES));
    }
    return Arrays.copyOfRange(body, BYTES, body.length);
  }

  private static RefusedException invalid(String problem) {
    return new RefusedException(
        Refusal.invalid("the body is not one enveloped message: " + problem));
  }
}
