package io.entroq.codec.command;

/**
 * A DocRef inside a Modify: a doc to delete or to depend on. Its namespace is not empty and its id
 * never nobody.
 */
public sealed class DocRefDecoder permits DocDataDecoder {
  private static final int NAMESPACE_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int ID_TAG = 2 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int VERSION_TAG = 3 << 3 | WireReader.VARINT;

  private final IdDecoder id = new IdDecoder();
  private int namespaceOffset;
  private int namespaceLength;
  private int version;

  DocRefDecoder() {}

  final void read(WireReader reader, String field) {
    clear();
    int outer = reader.enter(field);
    while (reader.hasNext()) {
      int tag = reader.tag(field);
      switch (tag) {
        case NAMESPACE_TAG -> {
          namespaceLength = reader.text(field, FieldLimits.TEXT_BYTES_MAX);
          namespaceOffset = reader.spanOffset();
        }
        case ID_TAG -> id.read(reader, field);
        case VERSION_TAG -> version = reader.int32(field);
        default -> readMore(tag, reader, field);
      }
    }
    reader.leave(outer);
    check(reader, field);
  }

  void clear() {
    id.clear();
    namespaceOffset = 0;
    namespaceLength = 0;
    version = 0;
  }

  void readMore(int tag, WireReader reader, String field) {
    reader.skip(tag, 3, field);
  }

  void check(WireReader reader, String field) {
    if (namespaceLength == 0) {
      throw reader.malformed(field, "namespace missing or empty");
    }
    id.checkSomebody(reader, field);
    if (version < 0) {
      throw reader.malformed(field, "negative version: " + version);
    }
  }

  /** Where the name of the namespace begins. */
  public final int namespaceOffset() {
    return namespaceOffset;
  }

  /** Bytes of the name of the namespace, 1 to 1,024. */
  public final int namespaceLength() {
    return namespaceLength;
  }

  /** Upper half of the key of the id. */
  public final long idHigh() {
    return id.high();
  }

  /** Lower half of the key of the id. */
  public final long idLow() {
    return id.low();
  }

  /** Where the text of the id begins. */
  public final int idTextOffset() {
    return id.textOffset();
  }

  /** Bytes of the text of the id; 0: the key gives it back. */
  public final int idTextLength() {
    return id.textLength();
  }

  /** The version that the caller saw, not negative; 0 in an insert. */
  public final int version() {
    return version;
  }
}
