package io.entroq.codec.result;

import io.entroq.codec.command.Slice;
import io.entroq.codec.command.WireWriter;
import org.agrona.MutableDirectBuffer;

/**
 * Writes a ListNamespaces. Set what is not default, in the order of the methods below; another
 * order throws IllegalStateException.
 */
public final class ListNamespacesEncoder {
  private final WireWriter writer = new WireWriter();

  /** An encoder to be wrapped. */
  public ListNamespacesEncoder() {}

  /** Begins a message; the buffer may be expandable. */
  public ListNamespacesEncoder wrap(MutableDirectBuffer buffer, int offset) {
    writer.wrap(buffer, offset);
    return this;
  }

  /** Adds a prefix; a namespace matches by any prefix or as any exact name. */
  public ListNamespacesEncoder matchPrefix(Slice prefix) {
    writer.repeated(1);
    writer.repeatedBytesField(1, prefix);
    return this;
  }

  /** Adds an exact name. */
  public ListNamespacesEncoder matchExact(Slice name) {
    writer.repeated(2);
    writer.repeatedBytesField(2, name);
    return this;
  }

  /** Sets how many namespaces at most; 0 or less: all. */
  public ListNamespacesEncoder limit(int limit) {
    writer.single(3);
    writer.varintField(3, limit);
    return this;
  }

  /** Bytes of the message. */
  public int length() {
    return writer.length();
  }
}
