package io.entroq.codec.command;

import org.agrona.MutableDirectBuffer;

/** Writes a CallersGone: either everyone, or some clients. */
public final class CallersGoneEncoder {
  private final WireWriter writer = new WireWriter();

  /** An encoder to be wrapped. */
  public CallersGoneEncoder() {}

  /** Begins a message; the buffer may be expandable. */
  public CallersGoneEncoder wrap(MutableDirectBuffer buffer, int offset) {
    writer.wrap(buffer, offset);
    return this;
  }

  /** Sets whether everyone is gone. */
  public CallersGoneEncoder all(boolean all) {
    writer.single(1);
    writer.boolField(1, all);
    return this;
  }

  /** Adds a client that is gone. */
  public CallersGoneEncoder client(long clientHigh, long clientLow) {
    writer.repeated(2);
    IdentityFields.write(writer, 2, clientHigh, clientLow, 0, 0);
    return this;
  }

  /** Bytes of the message. */
  public int length() {
    return writer.length();
  }
}
