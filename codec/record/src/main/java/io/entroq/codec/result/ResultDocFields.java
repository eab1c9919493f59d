package io.entroq.codec.result;

import io.entroq.codec.command.IdFields;
import io.entroq.codec.command.Slice;
import io.entroq.codec.command.ValueKinds;
import io.entroq.codec.command.WireWriter;

/** A Doc to be encoded. Reused; one thread at a time. */
public final class ResultDocFields {
  private final Slice namespace = new Slice();
  private final IdFields id = new IdFields();
  private int version;
  private final IdFields claimant = new IdFields();
  private long arrivalMs;
  private final Slice key = new Slice();
  private final Slice secondaryKey = new Slice();
  private int valueKind;
  private final Slice value = new Slice();
  private long createdMs;
  private long modifiedMs;

  /** All defaults. */
  public ResultDocFields() {}

  /** Sets all to defaults. */
  public ResultDocFields clear() {
    namespace.clear();
    id.clear();
    version = 0;
    claimant.clear();
    arrivalMs = 0;
    key.clear();
    secondaryKey.clear();
    valueKind = ValueKinds.ABSENT;
    value.clear();
    createdMs = 0;
    modifiedMs = 0;
    return this;
  }

  /** Name of the namespace, to be set. */
  public Slice namespace() {
    return namespace;
  }

  /** The id, to be set. */
  public IdFields id() {
    return id;
  }

  /** Sets the version. */
  public ResultDocFields version(int version) {
    this.version = version;
    return this;
  }

  /** Who holds it, to be set; nobody otherwise. */
  public IdFields claimant() {
    return claimant;
  }

  /** Sets until when it is held, milliseconds since the epoch. */
  public ResultDocFields arrivalMs(long arrivalMs) {
    this.arrivalMs = arrivalMs;
    return this;
  }

  /** The key, to be set. */
  public Slice key() {
    return key;
  }

  /** The secondary key, to be set. */
  public Slice secondaryKey() {
    return secondaryKey;
  }

  /** Sets what the value is: one of {@link ValueKinds}. */
  public ResultDocFields valueKind(int valueKind) {
    this.valueKind = valueKind;
    return this;
  }

  /** The value, to be set; empty if the kind is ABSENT. */
  public Slice value() {
    return value;
  }

  /** Sets the log time of the insert. */
  public ResultDocFields createdMs(long createdMs) {
    this.createdMs = createdMs;
    return this;
  }

  /** Sets the log time of the last write. */
  public ResultDocFields modifiedMs(long modifiedMs) {
    this.modifiedMs = modifiedMs;
    return this;
  }

  private int size() {
    return WireWriter.bytesFieldSize(namespace)
        + WireWriter.messageFieldSize(id.size())
        + WireWriter.varintFieldSize(version)
        + (claimant.isNobody() ? 0 : WireWriter.messageFieldSize(claimant.size()))
        + WireWriter.fixed64FieldSize(arrivalMs)
        + WireWriter.bytesFieldSize(key)
        + WireWriter.bytesFieldSize(secondaryKey)
        + WireWriter.varintFieldSize(valueKind)
        + WireWriter.bytesFieldSize(value)
        + WireWriter.fixed64FieldSize(createdMs)
        + WireWriter.fixed64FieldSize(modifiedMs);
  }

  void write(WireWriter writer, int field) {
    writer.messageField(field, size());
    writer.bytesField(1, namespace);
    id.write(writer, 2);
    writer.varintField(3, version);
    if (!claimant.isNobody()) {
      claimant.write(writer, 4);
    }
    writer.fixed64Field(5, arrivalMs);
    writer.bytesField(6, key);
    writer.bytesField(7, secondaryKey);
    writer.varintField(8, valueKind);
    writer.bytesField(9, value);
    writer.fixed64Field(10, createdMs);
    writer.fixed64Field(11, modifiedMs);
  }
}
