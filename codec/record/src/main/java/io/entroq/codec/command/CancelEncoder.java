package io.entroq.codec.command;

import org.agrona.MutableDirectBuffer;

/** Writes a Cancel. */
public final class CancelEncoder {
  private final WireWriter writer = new WireWriter();

  /** An encoder to be wrapped. */
  public CancelEncoder() {}

  /** Begins a message; the buffer may be expandable. */
  public CancelEncoder wrap(MutableDirectBuffer buffer, int offset) {
    writer.wrap(buffer, offset);
    return this;
  }

  /** Sets client and number of the claim. */
  public CancelEncoder claim(long clientHigh, long clientLow, long number) {
    writer.single(1);
    IdentityFields.write(writer, 1, clientHigh, clientLow, number, 0);
    return this;
  }

  /** Bytes of the message. */
  public int length() {
    return writer.length();
  }
}
