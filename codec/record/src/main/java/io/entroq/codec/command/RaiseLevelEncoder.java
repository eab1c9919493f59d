package io.entroq.codec.command;

import org.agrona.MutableDirectBuffer;

/** Writes a RaiseLevel. */
public final class RaiseLevelEncoder {
  private final WireWriter writer = new WireWriter();

  /** An encoder to be wrapped. */
  public RaiseLevelEncoder() {}

  /** Begins a message; the buffer may be expandable. */
  public RaiseLevelEncoder wrap(MutableDirectBuffer buffer, int offset) {
    writer.wrap(buffer, offset);
    return this;
  }

  /** Sets the new level, from 1. */
  public RaiseLevelEncoder level(int level) {
    writer.single(1);
    writer.varintField(1, Integer.toUnsignedLong(level));
    return this;
  }

  /** Bytes of the message. */
  public int length() {
    return writer.length();
  }
}
