package io.entroq.codec.result;

import io.entroq.codec.command.IdFields;
import io.entroq.codec.command.Slice;
import io.entroq.codec.command.ValueKinds;
import io.entroq.codec.command.WireWriter;

/** A Task to be encoded. Reused; one thread at a time. */
public final class ResultTaskFields {
  private final IdFields id = new IdFields();
  private int version;
  private final Slice queue = new Slice();
  private long arrivalMs;
  private final IdFields claimant = new IdFields();
  private int valueKind;
  private final Slice value = new Slice();
  private long createdMs;
  private long modifiedMs;
  private int claims;
  private int attempt;
  private final Slice err = new Slice();

  /** All defaults. */
  public ResultTaskFields() {}

  /** Sets all to defaults. */
  public ResultTaskFields clear() {
    id.clear();
    version = 0;
    queue.clear();
    arrivalMs = 0;
    claimant.clear();
    valueKind = ValueKinds.ABSENT;
    value.clear();
    createdMs = 0;
    modifiedMs = 0;
    claims = 0;
    attempt = 0;
    err.clear();
    return this;
  }

  /** The id, to be set. */
  public IdFields id() {
    return id;
  }

  /** Sets the version, from 0. */
  public ResultTaskFields version(int version) {
    this.version = version;
    return this;
  }

  /** Name of the queue, to be set. */
  public Slice queue() {
    return queue;
  }

  /** Sets the earliest time of the next claim, milliseconds since the epoch. */
  public ResultTaskFields arrivalMs(long arrivalMs) {
    this.arrivalMs = arrivalMs;
    return this;
  }

  /** Who holds it, to be set; nobody otherwise. */
  public IdFields claimant() {
    return claimant;
  }

  /** Sets what the value is: one of {@link ValueKinds}. */
  public ResultTaskFields valueKind(int valueKind) {
    this.valueKind = valueKind;
    return this;
  }

  /** The value, to be set; empty if the kind is ABSENT. */
  public Slice value() {
    return value;
  }

  /** Sets the log time of the insert. */
  public ResultTaskFields createdMs(long createdMs) {
    this.createdMs = createdMs;
    return this;
  }

  /** Sets the log time of the last write. */
  public ResultTaskFields modifiedMs(long modifiedMs) {
    this.modifiedMs = modifiedMs;
    return this;
  }

  /** Sets how often it was claimed. */
  public ResultTaskFields claims(int claims) {
    this.claims = claims;
    return this;
  }

  /** Sets how often the work failed. */
  public ResultTaskFields attempt(int attempt) {
    this.attempt = attempt;
    return this;
  }

  /** The text of the last failure, to be set. */
  public Slice err() {
    return err;
  }

  private int size() {
    return WireWriter.messageFieldSize(id.size())
        + WireWriter.varintFieldSize(version)
        + WireWriter.bytesFieldSize(queue)
        + WireWriter.fixed64FieldSize(arrivalMs)
        + (claimant.isNobody() ? 0 : WireWriter.messageFieldSize(claimant.size()))
        + WireWriter.varintFieldSize(valueKind)
        + WireWriter.bytesFieldSize(value)
        + WireWriter.fixed64FieldSize(createdMs)
        + WireWriter.fixed64FieldSize(modifiedMs)
        + WireWriter.varintFieldSize(claims)
        + WireWriter.varintFieldSize(attempt)
        + WireWriter.bytesFieldSize(err);
  }

  void write(WireWriter writer, int field) {
    writer.messageField(field, size());
    id.write(writer, 1);
    writer.varintField(2, version);
    writer.bytesField(3, queue);
    writer.fixed64Field(4, arrivalMs);
    if (!claimant.isNobody()) {
      claimant.write(writer, 5);
    }
    writer.varintField(6, valueKind);
    writer.bytesField(7, value);
    writer.fixed64Field(8, createdMs);
    writer.fixed64Field(9, modifiedMs);
    writer.varintField(10, claims);
    writer.varintField(11, attempt);
    writer.bytesField(12, err);
  }
}
