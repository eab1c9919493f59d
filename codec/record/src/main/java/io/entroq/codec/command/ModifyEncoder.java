package io.entroq.codec.command;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Writes a Modify. Set what is not default, in the order of the methods below; another order throws
 * IllegalStateException.
 */
public final class ModifyEncoder {
  private final WireWriter writer = new WireWriter();
  private final Slice claim = new Slice();

  /** An encoder to be wrapped. */
  public ModifyEncoder() {}

  /** Begins a message; the buffer may be expandable. */
  public ModifyEncoder wrap(MutableDirectBuffer buffer, int offset) {
    writer.wrap(buffer, offset);
    return this;
  }

  /** Sets who asks, and which of his requests this is. */
  public ModifyEncoder identity(long clientHigh, long clientLow, long number, long ackedBelow) {
    writer.single(1);
    IdentityFields.write(writer, 1, clientHigh, clientLow, number, ackedBelow);
    return this;
  }

  /** Sets whether it came through the v0 API. */
  public ModifyEncoder isV0(boolean isV0) {
    writer.single(2);
    writer.boolField(2, isV0);
    return this;
  }

  /** Sets who asks. */
  public ModifyEncoder claimant(IdFields claimant) {
    writer.single(3);
    if (!claimant.isNobody()) {
      claimant.write(writer, 3);
    }
    return this;
  }

  /** Adds a task to make. */
  public ModifyEncoder insert(IdFields id, TaskFields data) {
    writer.repeated(4);
    int dataSize = data.size();
    writer.messageField(
        4, WireWriter.messageFieldSize(id.size()) + WireWriter.messageFieldSize(dataSize));
    id.write(writer, 1);
    data.write(writer, 2, dataSize);
    return this;
  }

  /** Adds a task to change. */
  public ModifyEncoder change(IdFields id, int version, TaskFields data) {
    writer.repeated(5);
    int dataSize = data.size();
    writer.messageField(
        5,
        WireWriter.messageFieldSize(id.size())
            + WireWriter.varintFieldSize(version)
            + WireWriter.messageFieldSize(dataSize));
    id.write(writer, 1);
    writer.varintField(2, version);
    data.write(writer, 3, dataSize);
    return this;
  }

  /** Adds a task to delete; the queue may be empty. */
  public ModifyEncoder delete(IdFields id, int version, Slice queue) {
    return taskRef(6, id, version, queue);
  }

  /** Adds a task to depend on; the queue may be empty. */
  public ModifyEncoder depend(IdFields id, int version, Slice queue) {
    return taskRef(7, id, version, queue);
  }

  private ModifyEncoder taskRef(int field, IdFields id, int version, Slice queue) {
    writer.repeated(field);
    writer.messageField(
        field,
        WireWriter.messageFieldSize(id.size())
            + WireWriter.varintFieldSize(version)
            + WireWriter.bytesFieldSize(queue));
    id.write(writer, 1);
    writer.varintField(2, version);
    writer.bytesField(3, queue);
    return this;
  }

  /** Claims in the same step: a Claim that was encoded elsewhere, of queues, lease and limit. */
  public ModifyEncoder thenClaim(DirectBuffer buffer, int offset, int length) {
    writer.single(8);
    writer.repeatedBytesField(8, claim.wrap(buffer, offset, length));
    return this;
  }

  /**
   * Adds a doc to make, without version and arrival time. As with the next three, only in logs of
   * behaviour level 4 or higher.
   */
  public ModifyEncoder docInsert(DocFields doc) {
    return doc(9, doc);
  }

  /** Adds a doc to change. */
  public ModifyEncoder docChange(DocFields doc) {
    return doc(10, doc);
  }

  /** Adds a doc to delete: its namespace, id and version. */
  public ModifyEncoder docDelete(DocFields doc) {
    return doc(11, doc);
  }

  /** Adds a doc to depend on: its namespace, id and version. */
  public ModifyEncoder docDepend(DocFields doc) {
    return doc(12, doc);
  }

  private ModifyEncoder doc(int field, DocFields doc) {
    writer.repeated(field);
    doc.write(writer, field);
    return this;
  }

  /**
   * Sets how many tasks a queue may have that this puts tasks into; 0: any number. For whoever
   * takes commands in, and only in logs of behaviour level 3 or higher.
   */
  public ModifyEncoder queueTasksMax(long tasks) {
    writer.single(13);
    writer.varintField(13, tasks);
    return this;
  }

  /** Whether {@link #queueTasksMax} has been called, with whatever number. */
  public boolean hasQueueTasksMax() {
    return writer.isAtOrBehind(13);
  }

  /** Bytes of the message. */
  public int length() {
    return writer.length();
  }
}
