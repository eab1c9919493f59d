package io.entroq.codec.command;

/** Reads an Id inside another message. */
public final class IdDecoder {
  private static final int HIGH_TAG = 1 << 3 | WireReader.FIXED64;
  private static final int LOW_TAG = 2 << 3 | WireReader.FIXED64;
  private static final int TEXT_TAG = 3 << 3 | WireReader.LENGTH_DELIMITED;

  private long high;
  private long low;
  private int textOffset;
  private int textLength;

  /** An id of nobody until it is read. */
  public IdDecoder() {}

  /** Makes it nobody. */
  public void clear() {
    high = 0;
    low = 0;
    textOffset = 0;
    textLength = 0;
  }

  /** Reads the Id at the reader's position over what was read before, as protobuf merges. */
  public void read(WireReader reader, String field) {
    int outer = reader.enter(field);
    while (reader.hasNext()) {
      int tag = reader.tag("Id");
      switch (tag) {
        case HIGH_TAG -> high = reader.fixed64("Id.high");
        case LOW_TAG -> low = reader.fixed64("Id.low");
        case TEXT_TAG -> {
          textLength = reader.text("Id.text", FieldLimits.TEXT_BYTES_MAX);
          textOffset = reader.spanOffset();
        }
        default -> reader.skip(tag, 3, "Id");
      }
    }
    reader.leave(outer);
  }

  /** Refuses nobody with a text. */
  public void check(WireReader reader, String field) {
    if ((high | low) == 0 && textLength != 0) {
      throw reader.malformed(field, "a text, but no key");
    }
  }

  /** Refuses nobody. */
  public void checkSomebody(WireReader reader, String field) {
    if ((high | low) == 0) {
      throw reader.malformed(field, "missing or zero");
    }
  }

  /** Upper half of the key. */
  public long high() {
    return high;
  }

  /** Lower half of the key. */
  public long low() {
    return low;
  }

  /** Where the text begins in the decoder's buffer; meaningless if there is none. */
  public int textOffset() {
    return textOffset;
  }

  /** Bytes of the text; 0: the key gives it back. */
  public int textLength() {
    return textLength;
  }
}
