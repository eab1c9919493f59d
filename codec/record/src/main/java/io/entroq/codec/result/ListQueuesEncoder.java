package io.entroq.codec.result;

import io.entroq.codec.command.Slice;
import io.entroq.codec.command.WireWriter;
import org.agrona.MutableDirectBuffer;

/**
 * Writes a ListQueues. Set what is not default, in the order of the methods below; another order
 * throws IllegalStateException.
 */
public final class ListQueuesEncoder {
  private final WireWriter writer = new WireWriter();

  /** An encoder to be wrapped. */
  public ListQueuesEncoder() {}

  /** Begins a message; the buffer may be expandable. */
  public ListQueuesEncoder wrap(MutableDirectBuffer buffer, int offset) {
    writer.wrap(buffer, offset);
    return this;
  }

  /** Adds a prefix; a queue matches if it matches any prefix or any exact name. */
  public ListQueuesEncoder matchPrefix(Slice prefix) {
    writer.repeated(1);
    writer.repeatedBytesField(1, prefix);
    return this;
  }

  /** Adds an exact name. */
  public ListQueuesEncoder matchExact(Slice name) {
    writer.repeated(2);
    writer.repeatedBytesField(2, name);
    return this;
  }

  /** Sets how many queues at most; 0 or less: all. */
  public ListQueuesEncoder limit(int limit) {
    writer.single(3);
    writer.varintField(3, limit);
    return this;
  }

  /** Sets whether only names and sizes are asked for. */
  public ListQueuesEncoder omitsStats(boolean omitsStats) {
    writer.single(4);
    writer.boolField(4, omitsStats);
    return this;
  }

  /** Bytes of the message. */
  public int length() {
    return writer.length();
  }
}
