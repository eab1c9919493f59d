package io.entroq.codec.result;

import io.entroq.codec.command.IdFields;
import io.entroq.codec.command.Slice;
import io.entroq.codec.command.WireWriter;
import org.agrona.MutableDirectBuffer;

/**
 * Writes a ListDocs. Set what is not default, in the order of the methods below; another order
 * throws IllegalStateException.
 */
public final class ListDocsEncoder {
  private final WireWriter writer = new WireWriter();

  /** An encoder to be wrapped. */
  public ListDocsEncoder() {}

  /** Begins a message; the buffer may be expandable. */
  public ListDocsEncoder wrap(MutableDirectBuffer buffer, int offset) {
    writer.wrap(buffer, offset);
    return this;
  }

  /** Sets the namespace. */
  public ListDocsEncoder namespace(Slice name) {
    writer.single(1);
    writer.bytesField(1, name);
    return this;
  }

  /** Asks for docs of given ids only; adds one. */
  public ListDocsEncoder id(IdFields id) {
    writer.repeated(2);
    id.write(writer, 2);
    return this;
  }

  /** Sets the first key that is wanted; empty: any. */
  public ListDocsEncoder keyStart(Slice key) {
    writer.single(3);
    writer.bytesField(3, key);
    return this;
  }

  /** Sets the first key that is not wanted any more; empty: none. */
  public ListDocsEncoder keyEnd(Slice key) {
    writer.single(4);
    writer.bytesField(4, key);
    return this;
  }

  /** Sets how many docs at most; 0 or less: all. */
  public ListDocsEncoder limit(int limit) {
    writer.single(5);
    writer.varintField(5, limit);
    return this;
  }

  /** Sets whether values are left out. */
  public ListDocsEncoder omitsValues(boolean omitsValues) {
    writer.single(6);
    writer.boolField(6, omitsValues);
    return this;
  }

  /** Bytes of the message. */
  public int length() {
    return writer.length();
  }
}
