package io.entroq.codec.command;

/** A DocData or DocRef to be encoded. Reused; one thread at a time. */
public final class DocFields {
  private final Slice namespace = new Slice();
  private final IdFields id = new IdFields();
  private int version;
  private final Slice key = new Slice();
  private final Slice secondaryKey = new Slice();
  private int valueKind;
  private final Slice value = new Slice();
  private long arrivalMs;

  /** All defaults. */
  public DocFields() {}

  /** Sets all to defaults. */
  public DocFields clear() {
    namespace.clear();
    id.clear();
    version = 0;
    key.clear();
    secondaryKey.clear();
    valueKind = ValueKinds.ABSENT;
    value.clear();
    arrivalMs = 0;
    return this;
  }

  /** Name of the namespace, to be set: 1 to 1,024 bytes. */
  public Slice namespace() {
    return namespace;
  }

  /** The id, to be set. */
  public IdFields id() {
    return id;
  }

  /** Sets the version that the caller saw; not for an insert. */
  public DocFields version(int version) {
    this.version = version;
    return this;
  }

  /** The key, to be set: at most 1,024 bytes. Not for a reference, nor are those that follow. */
  public Slice key() {
    return key;
  }

  /** The secondary key, to be set: at most 1,024 bytes. */
  public Slice secondaryKey() {
    return secondaryKey;
  }

  /** Sets what the value is: one of {@link ValueKinds}. */
  public DocFields valueKind(int valueKind) {
    this.valueKind = valueKind;
    return this;
  }

  /** The value, to be set; empty if the kind is ABSENT. */
  public Slice value() {
    return value;
  }

  /** Sets until when the requester holds it, milliseconds since the epoch; not for an insert. */
  public DocFields arrivalMs(long arrivalMs) {
    this.arrivalMs = arrivalMs;
    return this;
  }

  private int size() {
    return WireWriter.bytesFieldSize(namespace)
        + WireWriter.messageFieldSize(id.size())
        + WireWriter.varintFieldSize(version)
        + WireWriter.bytesFieldSize(key)
        + WireWriter.bytesFieldSize(secondaryKey)
        + WireWriter.varintFieldSize(valueKind)
        + WireWriter.bytesFieldSize(value)
        + WireWriter.fixed64FieldSize(arrivalMs);
  }

  void write(WireWriter writer, int field) {
    writer.messageField(field, size());
    writer.bytesField(1, namespace);
    id.write(writer, 2);
    writer.varintField(3, version);
    writer.bytesField(4, key);
    writer.bytesField(5, secondaryKey);
    writer.varintField(6, valueKind);
    writer.bytesField(7, value);
    writer.fixed64Field(8, arrivalMs);
  }
}
