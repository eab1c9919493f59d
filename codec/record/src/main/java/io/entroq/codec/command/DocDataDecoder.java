package io.entroq.codec.command;

/** A DocData inside a Modify: a doc to make or to change. */
public final class DocDataDecoder extends DocRefDecoder {
  private static final int KEY_TAG = 4 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int SECONDARY_KEY_TAG = 5 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int VALUE_KIND_TAG = 6 << 3 | WireReader.VARINT;
  private static final int VALUE_TAG = 7 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int ARRIVAL_MS_TAG = 8 << 3 | WireReader.FIXED64;

  private int keyOffset;
  private int keyLength;
  private int secondaryKeyOffset;
  private int secondaryKeyLength;
  private int valueKind;
  private int valueOffset;
  private int valueLength;
  private long arrivalMs;

  DocDataDecoder() {}

  /** Reads an insert, of which some fields say nothing. */
  void readInsert(WireReader reader, String field) {
    read(reader, field);
    if (version() != 0) {
      throw reader.malformed(field, "an insert with version " + version());
    }
    if (arrivalMs != 0) {
      throw reader.malformed(field, "an insert with arrival time " + arrivalMs);
    }
  }

  @Override
  void clear() {
    super.clear();
    keyOffset = 0;
    keyLength = 0;
    secondaryKeyOffset = 0;
    secondaryKeyLength = 0;
    valueKind = ValueKinds.ABSENT;
    valueOffset = 0;
    valueLength = 0;
    arrivalMs = 0;
  }

  @Override
  void readMore(int tag, WireReader reader, String field) {
    switch (tag) {
      case KEY_TAG -> {
        keyLength = reader.text(field, FieldLimits.TEXT_BYTES_MAX);
        keyOffset = reader.spanOffset();
      }
      case SECONDARY_KEY_TAG -> {
        secondaryKeyLength = reader.text(field, FieldLimits.TEXT_BYTES_MAX);
        secondaryKeyOffset = reader.spanOffset();
      }
      case VALUE_KIND_TAG -> valueKind = reader.enumeration(field, ValueKinds.JSON);
      case VALUE_TAG -> {
        valueLength = reader.bytes(field);
        valueOffset = reader.spanOffset();
      }
      case ARRIVAL_MS_TAG -> arrivalMs = reader.fixed64(field);
      default -> reader.skip(tag, 8, field);
    }
  }

  @Override
  void check(WireReader reader, String field) {
    super.check(reader, field);
    if (valueKind == ValueKinds.ABSENT && valueLength != 0) {
      throw reader.malformed(field, valueLength + " bytes of an absent value");
    }
  }

  /** Where the key begins. */
  public int keyOffset() {
    return keyOffset;
  }

  /** Bytes of the key, up to 1,024; 0 in a change: the key that the doc has. */
  public int keyLength() {
    return keyLength;
  }

  /** Where the secondary key begins. */
  public int secondaryKeyOffset() {
    return secondaryKeyOffset;
  }

  /** Bytes of the secondary key, up to 1,024; 0 in a change: the one that the doc has. */
  public int secondaryKeyLength() {
    return secondaryKeyLength;
  }

  /** One of {@link ValueKinds}. */
  public int valueKind() {
    return valueKind;
  }

  /** Where the value begins. */
  public int valueOffset() {
    return valueOffset;
  }

  /** Bytes of the value; 0 if it is absent. */
  public int valueLength() {
    return valueLength;
  }

  /** Of a change: until when it is held, milliseconds since the epoch, as it was asked for. */
  public long arrivalMs() {
    return arrivalMs;
  }
}
