package io.entroq.codec.result;

import io.entroq.codec.command.Slice;
import io.entroq.codec.command.WireWriter;
import org.agrona.MutableDirectBuffer;

/**
 * Writes a Result as it comes: code, sequence and time at once, then items one by one, in the order
 * of the methods below; another order throws IllegalStateException.
 */
public final class ResultEncoder {
  private final WireWriter writer = new WireWriter();

  /** An encoder to be wrapped. */
  public ResultEncoder() {}

  /**
   * Begins a result.
   *
   * @param buffer may be expandable
   * @param code one of {@link ResultCodes}
   * @param sequence of the step that decided it
   * @param logTimeMs of that step
   */
  public ResultEncoder wrap(
      MutableDirectBuffer buffer, int offset, int code, long sequence, long logTimeMs) {
    writer.wrap(buffer, offset);
    writer.single(3);
    writer.varintField(1, code);
    writer.varintField(2, sequence);
    writer.fixed64Field(3, logTimeMs);
    return this;
  }

  /** Adds a task that was claimed. */
  public ResultEncoder claimed(ResultTaskFields task) {
    return task(4, task);
  }

  /** Adds a task that was inserted. */
  public ResultEncoder inserted(ResultTaskFields task) {
    return task(5, task);
  }

  /** Adds a task that was changed. */
  public ResultEncoder changed(ResultTaskFields task) {
    return task(6, task);
  }

  private ResultEncoder task(int field, ResultTaskFields task) {
    writer.repeated(field);
    task.write(writer, field);
    return this;
  }

  /**
   * Adds an item of a Modify that failed.
   *
   * @param itemKind one of {@link ItemKinds}
   * @param index in its list, from 0
   * @param claimed whether the version matches, but somebody else holds the task
   * @param existingVersion for inserts: of the task that has the id already; else 0
   * @param existingQueue for inserts: of that task; else empty
   */
  public ResultEncoder failure(
      int itemKind, int index, boolean claimed, int existingVersion, Slice existingQueue) {
    writer.repeated(7);
    writer.messageField(
        7,
        WireWriter.varintFieldSize(itemKind)
            + WireWriter.varintFieldSize(Integer.toUnsignedLong(index))
            + WireWriter.boolFieldSize(claimed)
            + WireWriter.varintFieldSize(existingVersion)
            + WireWriter.bytesFieldSize(existingQueue));
    writer.varintField(1, itemKind);
    writer.varintField(2, Integer.toUnsignedLong(index));
    writer.boolField(3, claimed);
    writer.varintField(4, existingVersion);
    writer.bytesField(5, existingQueue);
    return this;
  }

  /**
   * Sets the item that the code speaks of.
   *
   * @param itemKind one of {@link ItemKinds}
   * @param index in its list, from 0
   */
  public ResultEncoder item(int itemKind, int index) {
    writer.single(8);
    writer.messageField(
        8,
        WireWriter.varintFieldSize(itemKind)
            + WireWriter.varintFieldSize(Integer.toUnsignedLong(index)));
    writer.varintField(1, itemKind);
    writer.varintField(2, Integer.toUnsignedLong(index));
    return this;
  }

  /** Sets what people may want to know. */
  public ResultEncoder detail(Slice detail) {
    writer.single(9);
    writer.bytesField(9, detail);
    return this;
  }

  /** Adds a task of a listing. */
  public ResultEncoder task(ResultTaskFields task) {
    return task(10, task);
  }

  /** Adds a queue of a listing. */
  public ResultEncoder queue(QueueStatsFields queue) {
    writer.repeated(11);
    queue.write(writer, 11);
    return this;
  }

  /**
   * Sets how many tasks the queue may have that the item speaks of, and how many it has or, with
   * {@link ResultCodes#NEVER_FITS}, would have of the Modify's own.
   */
  public ResultEncoder queueFull(long tasks, long tasksMax) {
    writer.single(13);
    writer.varintField(12, tasks);
    writer.varintField(13, tasksMax);
    return this;
  }

  /** Adds a doc. */
  public ResultEncoder doc(ResultDocFields doc) {
    writer.repeated(14);
    doc.write(writer, 14);
    return this;
  }

  /** Adds a namespace of a listing: how many docs it has, and how many somebody holds. */
  public ResultEncoder namespace(Slice name, long docs, long claimed) {
    writer.repeated(15);
    writer.messageField(
        15,
        WireWriter.bytesFieldSize(name)
            + WireWriter.varintFieldSize(docs)
            + WireWriter.varintFieldSize(claimed));
    writer.bytesField(1, name);
    writer.varintField(2, docs);
    writer.varintField(3, claimed);
    return this;
  }

  /** Bytes of the message so far. */
  public int length() {
    return writer.length();
  }
}
