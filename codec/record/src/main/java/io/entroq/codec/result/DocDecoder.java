package io.entroq.codec.result;

import io.entroq.codec.command.FieldLimits;
import io.entroq.codec.command.IdDecoder;
import io.entroq.codec.command.ValueKinds;
import io.entroq.codec.command.WireReader;

/** A Doc inside a Result. Offsets refer to the buffer of the {@link ResultDecoder}. */
public final class DocDecoder {
  private static final int NAMESPACE_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int ID_TAG = 2 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int VERSION_TAG = 3 << 3 | WireReader.VARINT;
  private static final int CLAIMANT_TAG = 4 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int ARRIVAL_MS_TAG = 5 << 3 | WireReader.FIXED64;
  private static final int KEY_TAG = 6 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int SECONDARY_KEY_TAG = 7 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int VALUE_KIND_TAG = 8 << 3 | WireReader.VARINT;
  private static final int VALUE_TAG = 9 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int CREATED_MS_TAG = 10 << 3 | WireReader.FIXED64;
  private static final int MODIFIED_MS_TAG = 11 << 3 | WireReader.FIXED64;

  private final IdDecoder id = new IdDecoder();
  private final IdDecoder claimant = new IdDecoder();
  private int namespaceOffset;
  private int namespaceLength;
  private int version;
  private long arrivalMs;
  private int keyOffset;
  private int keyLength;
  private int secondaryKeyOffset;
  private int secondaryKeyLength;
  private int valueKind;
  private int valueOffset;
  private int valueLength;
  private long createdMs;
  private long modifiedMs;

  DocDecoder() {}

  void read(WireReader reader) {
    clear();
    int outer = reader.enter("Result.docs");
    while (reader.hasNext()) {
      readField(reader);
    }
    reader.leave(outer);
    id.checkSomebody(reader, "Doc.id");
    claimant.check(reader, "Doc.claimant");
    if (valueKind == ValueKinds.ABSENT && valueLength != 0) {
      throw reader.malformed("Doc.value", valueLength + " bytes of an absent value");
    }
  }

  private void clear() {
    id.clear();
    claimant.clear();
    namespaceOffset = 0;
    namespaceLength = 0;
    version = 0;
    arrivalMs = 0;
    keyOffset = 0;
    keyLength = 0;
    secondaryKeyOffset = 0;
    secondaryKeyLength = 0;
    valueKind = ValueKinds.ABSENT;
    valueOffset = 0;
    valueLength = 0;
    createdMs = 0;
    modifiedMs = 0;
  }

  private void readField(WireReader reader) {
    int tag = reader.tag("Doc");
    switch (tag) {
      case NAMESPACE_TAG -> {
        namespaceLength = reader.text("Doc.namespace", FieldLimits.TEXT_BYTES_MAX);
        namespaceOffset = reader.spanOffset();
      }
      case ID_TAG -> id.read(reader, "Doc.id");
      case VERSION_TAG -> version = reader.int32("Doc.version");
      case CLAIMANT_TAG -> claimant.read(reader, "Doc.claimant");
      case ARRIVAL_MS_TAG -> arrivalMs = reader.fixed64("Doc.arrival_ms");
      case KEY_TAG -> {
        keyLength = reader.text("Doc.key", FieldLimits.TEXT_BYTES_MAX);
        keyOffset = reader.spanOffset();
      }
      case SECONDARY_KEY_TAG -> {
        secondaryKeyLength = reader.text("Doc.secondary_key", FieldLimits.TEXT_BYTES_MAX);
        secondaryKeyOffset = reader.spanOffset();
      }
      case VALUE_KIND_TAG -> valueKind = reader.enumeration("Doc.value_kind", ValueKinds.JSON);
      case VALUE_TAG -> {
        valueLength = reader.bytes("Doc.value");
        valueOffset = reader.spanOffset();
      }
      case CREATED_MS_TAG -> createdMs = reader.fixed64("Doc.created_ms");
      case MODIFIED_MS_TAG -> modifiedMs = reader.fixed64("Doc.modified_ms");
      default -> reader.skip(tag, 11, "Doc");
    }
  }

  /** Where the name of the namespace begins. */
  public int namespaceOffset() {
    return namespaceOffset;
  }

  /** Bytes of the name of the namespace. */
  public int namespaceLength() {
    return namespaceLength;
  }

  /** Upper half of the key of the id. */
  public long idHigh() {
    return id.high();
  }

  /** Lower half of the key of the id. */
  public long idLow() {
    return id.low();
  }

  /** Where the text of the id begins. */
  public int idTextOffset() {
    return id.textOffset();
  }

  /** Bytes of the text of the id; 0: the key gives it back. */
  public int idTextLength() {
    return id.textLength();
  }

  /** 1 at insert, up by one per write. */
  public int version() {
    return version;
  }

  /** Upper half of the claimant's key; both halves 0: nobody. */
  public long claimantHigh() {
    return claimant.high();
  }

  /** Lower half of the claimant's key. */
  public long claimantLow() {
    return claimant.low();
  }

  /** Where the claimant's text begins. */
  public int claimantTextOffset() {
    return claimant.textOffset();
  }

  /** Bytes of the claimant's text; 0: the key gives it back. */
  public int claimantTextLength() {
    return claimant.textLength();
  }

  /** While held, the lease's end, milliseconds since the epoch. */
  public long arrivalMs() {
    return arrivalMs;
  }

  /** Where the key begins. */
  public int keyOffset() {
    return keyOffset;
  }

  /** Bytes of the key. */
  public int keyLength() {
    return keyLength;
  }

  /** Where the secondary key begins. */
  public int secondaryKeyOffset() {
    return secondaryKeyOffset;
  }

  /** Bytes of the secondary key. */
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

  /** Log time of the insert. */
  public long createdMs() {
    return createdMs;
  }

  /** Log time of the last write. */
  public long modifiedMs() {
    return modifiedMs;
  }
}
