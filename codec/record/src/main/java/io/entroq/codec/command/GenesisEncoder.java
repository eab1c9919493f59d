package io.entroq.codec.command;

import org.agrona.MutableDirectBuffer;

/** Writes a Genesis. Call the methods below in their order. */
public final class GenesisEncoder {
  private final WireWriter writer = new WireWriter();

  /** An encoder to be wrapped. */
  public GenesisEncoder() {}

  /** Begins a message; the buffer may be expandable. */
  public GenesisEncoder wrap(MutableDirectBuffer buffer, int offset) {
    writer.wrap(buffer, offset);
    return this;
  }

  /** Sets the name of the log. */
  public GenesisEncoder logId(long high, long low) {
    writer.single(1);
    writer.fixed64Field(1, high);
    writer.single(2);
    writer.fixed64Field(2, low);
    return this;
  }

  /** Sets the seed of the generator. */
  public GenesisEncoder seed(long seed) {
    writer.single(3);
    writer.fixed64Field(3, seed);
    return this;
  }

  /** Sets the behaviour level to begin with, from 1. */
  public GenesisEncoder level(int level) {
    writer.single(4);
    writer.varintField(4, Integer.toUnsignedLong(level));
    return this;
  }

  /** Sets the wall clock when the log was made, milliseconds since the epoch. */
  public GenesisEncoder createdMs(long createdMs) {
    writer.single(5);
    writer.fixed64Field(5, createdMs);
    return this;
  }

  /** Bytes of the message. */
  public int length() {
    return writer.length();
  }
}
