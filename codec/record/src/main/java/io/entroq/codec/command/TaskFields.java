package io.entroq.codec.command;

/** A TaskData to be encoded. Reused; one thread at a time. */
public final class TaskFields {
  private final Slice queue = new Slice();
  private long arrivalMs;
  private int valueKind;
  private final Slice value = new Slice();
  private int attempt;
  private final Slice err = new Slice();

  /** All defaults. */
  public TaskFields() {}

  /** Sets all to defaults. */
  public TaskFields clear() {
    queue.clear();
    arrivalMs = 0;
    valueKind = ValueKinds.ABSENT;
    value.clear();
    attempt = 0;
    err.clear();
    return this;
  }

  /** Name of the queue, to be set: 1 to 1,024 bytes. */
  public Slice queue() {
    return queue;
  }

  /** Sets the earliest time of a claim, milliseconds since the epoch. */
  public TaskFields arrivalMs(long arrivalMs) {
    this.arrivalMs = arrivalMs;
    return this;
  }

  /** Sets what the value is: one of {@link ValueKinds}. */
  public TaskFields valueKind(int valueKind) {
    this.valueKind = valueKind;
    return this;
  }

  /** The value, to be set; empty if the kind is ABSENT. */
  public Slice value() {
    return value;
  }

  /** Sets how often the work failed. */
  public TaskFields attempt(int attempt) {
    this.attempt = attempt;
    return this;
  }

  /** The text of the last failure, to be set. */
  public Slice err() {
    return err;
  }

  int size() {
    return WireWriter.bytesFieldSize(queue)
        + WireWriter.fixed64FieldSize(arrivalMs)
        + WireWriter.varintFieldSize(valueKind)
        + WireWriter.bytesFieldSize(value)
        + WireWriter.varintFieldSize(attempt)
        + WireWriter.bytesFieldSize(err);
  }

  void write(WireWriter writer, int field, int size) {
    writer.messageField(field, size);
    writer.bytesField(1, queue);
    writer.fixed64Field(2, arrivalMs);
    writer.varintField(3, valueKind);
    writer.bytesField(4, value);
    writer.varintField(5, attempt);
    writer.bytesField(6, err);
  }
}
