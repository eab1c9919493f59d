package io.entroq.codec.command;

import org.agrona.MutableDirectBuffer;

/** Writes an Acknowledge: what has arrived, then what has left. */
public final class AcknowledgeEncoder {
  private final WireWriter writer = new WireWriter();

  /** An encoder to be wrapped. */
  public AcknowledgeEncoder() {}

  /** Begins a message; the buffer may be expandable. */
  public AcknowledgeEncoder wrap(MutableDirectBuffer buffer, int offset) {
    writer.wrap(buffer, offset);
    return this;
  }

  /** Adds a client to whose numbers below one, from 1, every reply has arrived. */
  public AcknowledgeEncoder client(long clientHigh, long clientLow, long ackedBelow) {
    writer.repeated(1);
    IdentityFields.write(writer, 1, clientHigh, clientLow, 0, ackedBelow);
    return this;
  }

  /**
   * Adds a request whose reply has left; only in logs of behaviour level 5 or higher.
   *
   * @param number of the request, from 1
   */
  public AcknowledgeEncoder delivered(long clientHigh, long clientLow, long number) {
    writer.repeated(2);
    IdentityFields.write(writer, 2, clientHigh, clientLow, number, 0);
    return this;
  }

  /** Bytes of the message. */
  public int length() {
    return writer.length();
  }
}
