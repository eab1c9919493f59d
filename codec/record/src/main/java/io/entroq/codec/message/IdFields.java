package io.entroq.codec.message;

/** An Id to be encoded. Reused; one thread at a time. */
public final class IdFields {
  private long high;
  private long low;
  private final Slice text = new Slice();

  /** Nobody. */
  public IdFields() {}

  /** Makes it nobody. */
  public IdFields clear() {
    return set(0, 0);
  }

  /** An id whose key gives its text back. */
  public IdFields set(long high, long low) {
    this.high = high;
    this.low = low;
    text.clear();
    return this;
  }

  /** Upper half of the key. */
  public long high() {
    return high;
  }

  /** Lower half of the key. */
  public long low() {
    return low;
  }

  /** The text, to be set where the key does not give it back; at most 1,024 bytes of UTF-8. */
  public Slice text() {
    return text;
  }

  /** Whether it is nobody. */
  public boolean isNobody() {
    return (high | low) == 0;
  }

  /** Bytes of the Id. */
  public int size() {
    return WireWriter.fixed64FieldSize(1, high)
        + WireWriter.fixed64FieldSize(2, low)
        + WireWriter.bytesFieldSize(3, text);
  }

  /** Writes it as a field of the message that the writer is in. */
  public void write(WireWriter writer, int field) {
    writer.messageField(field, size());
    writer.fixed64Field(1, high);
    writer.fixed64Field(2, low);
    writer.bytesField(3, text);
  }
}
