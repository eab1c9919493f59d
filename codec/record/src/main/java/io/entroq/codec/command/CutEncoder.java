package io.entroq.codec.command;

import org.agrona.MutableDirectBuffer;

/** Writes a Cut. Call the methods below in their order. */
public final class CutEncoder {
  private final WireWriter writer = new WireWriter();

  /** An encoder to be wrapped. */
  public CutEncoder() {}

  /** Begins a message; the buffer may be expandable. */
  public CutEncoder wrap(MutableDirectBuffer buffer, int offset) {
    writer.wrap(buffer, offset);
    return this;
  }

  /** Sets the last good record before the cut; 0: none. */
  public CutEncoder afterSequence(long sequence) {
    writer.single(1);
    writer.varintField(1, sequence);
    return this;
  }

  /** Sets the name of the file that was cut: at most 1,024 bytes of UTF-8. */
  public CutEncoder segment(Slice name) {
    writer.single(2);
    writer.bytesField(2, name);
    return this;
  }

  /** Sets the byte offset of the cut in that file. */
  public CutEncoder cutOffset(long offset) {
    writer.single(3);
    writer.varintField(3, offset);
    return this;
  }

  /** Sets how many bytes that are not zero lay behind the cut. */
  public CutEncoder droppedBytes(long bytes) {
    writer.single(4);
    writer.varintField(4, bytes);
    return this;
  }

  /** Bytes of the message. */
  public int length() {
    return writer.length();
  }
}
