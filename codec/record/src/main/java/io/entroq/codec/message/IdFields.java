package io.entroq.codec.message;

/** An Id to encode; initially nobody. Reusable; not thread-safe. */
public final class IdFields {
  private long high;
  private long low;
  private final Slice text = new Slice();

  /** Resets it to nobody. */
  public IdFields clear() {
    high = 0;
    low = 0;
    text.length = 0;
    return this;
  }

  /** Sets the key and clears the text. */
  public IdFields set(long high, long low) {
    this.high = high;
    this.low = low;
    text.length = 0;
    return this;
  }

  public long high() {
    return high;
  }

  public long low() {
    return low;
  }

  /** The text; set it if the key does not encode it. At most 1,024 bytes of UTF-8. */
  public Slice text() {
    return text;
  }

  public boolean isNobody() {
    return (high | low) == 0;
  }

  /** Encoded size in bytes. */
  public int size() {
    return WireWriter.fixed64FieldSize(1, high)
        + WireWriter.fixed64FieldSize(2, low)
        + WireWriter.bytesFieldSize(3, text);
  }

  /** Writes this as a field of the current message. */
  public void write(WireWriter writer, int field) {
    writer.messageField(field, size());
    writer.fixed64Field(1, high);
    writer.fixed64Field(2, low);
    writer.bytesField(3, text);
  }
}
