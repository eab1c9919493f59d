package io.entroq.codec.result;

import io.entroq.codec.command.IdFields;
import io.entroq.codec.command.Slice;
import io.entroq.codec.command.WireWriter;
import org.agrona.MutableDirectBuffer;

/**
 * Writes a ListTasks. Set what is not default, in the order of the methods below; another order
 * throws IllegalStateException.
 */
public final class ListTasksEncoder {
  private final WireWriter writer = new WireWriter();

  /** An encoder to be wrapped. */
  public ListTasksEncoder() {}

  /** Begins a message; the buffer may be expandable. */
  public ListTasksEncoder wrap(MutableDirectBuffer buffer, int offset) {
    writer.wrap(buffer, offset);
    return this;
  }

  /** Asks for tasks of one queue only. */
  public ListTasksEncoder queue(Slice name) {
    writer.single(1);
    writer.bytesField(1, name);
    return this;
  }

  /** Asks for tasks of given ids only; adds one. */
  public ListTasksEncoder id(IdFields id) {
    writer.repeated(2);
    id.write(writer, 2);
    return this;
  }

  /** Leaves out tasks that are leased by others than this one; nobody: leaves out none. */
  public ListTasksEncoder claimant(IdFields claimant) {
    writer.single(3);
    if (!claimant.isNobody()) {
      claimant.write(writer, 3);
    }
    return this;
  }

  /** Sets how many tasks at most; 0 or less: all. */
  public ListTasksEncoder limit(int limit) {
    writer.single(4);
    writer.varintField(4, limit);
    return this;
  }

  /** Sets whether values are left out. */
  public ListTasksEncoder omitsValues(boolean omitsValues) {
    writer.single(5);
    writer.boolField(5, omitsValues);
    return this;
  }

  /** Sets whether it came through the v0 API. */
  public ListTasksEncoder isV0(boolean isV0) {
    writer.single(6);
    writer.boolField(6, isV0);
    return this;
  }

  /** Bytes of the message. */
  public int length() {
    return writer.length();
  }
}
