package io.entroq.codec.result;

import io.entroq.codec.command.FieldLimits;
import io.entroq.codec.command.IdDecoder;
import io.entroq.codec.command.ItemList;
import io.entroq.codec.command.MalformedMessageException;
import io.entroq.codec.command.WireReader;
import org.agrona.DirectBuffer;

/** Reads a ListDocs. Everything that it returns is valid until the next wrap. */
public final class ListDocsDecoder {
  private static final int NAMESPACE_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int IDS_TAG = 2 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int KEY_START_TAG = 3 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int KEY_END_TAG = 4 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int LIMIT_TAG = 5 << 3 | WireReader.VARINT;
  private static final int OMIT_VALUES_TAG = 6 << 3 | WireReader.VARINT;

  private final WireReader reader = new WireReader();
  private final ItemList<IdDecoder> ids = new ItemList<>(IdDecoder::new);
  private int namespaceOffset;
  private int namespaceLength;
  private int keyStartOffset;
  private int keyStartLength;
  private int keyEndOffset;
  private int keyEndLength;
  private int limit;
  private boolean omitsValues;

  /** A decoder of nothing until it is wrapped. */
  public ListDocsDecoder() {}

  /**
   * Reads and checks a whole ListDocs.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    clear();
    while (reader.hasNext()) {
      readField();
    }
  }

  private void clear() {
    ids.clear();
    namespaceOffset = 0;
    namespaceLength = 0;
    keyStartOffset = 0;
    keyStartLength = 0;
    keyEndOffset = 0;
    keyEndLength = 0;
    limit = 0;
    omitsValues = false;
  }

  private void readField() {
    int tag = reader.tag("ListDocs");
    switch (tag) {
      case NAMESPACE_TAG -> {
        namespaceLength = reader.text("ListDocs.namespace", FieldLimits.TEXT_BYTES_MAX);
        namespaceOffset = reader.spanOffset();
      }
      case IDS_TAG -> readId();
      case KEY_START_TAG -> {
        keyStartLength = reader.text("ListDocs.key_start", FieldLimits.TEXT_BYTES_MAX);
        keyStartOffset = reader.spanOffset();
      }
      case KEY_END_TAG -> {
        keyEndLength = reader.text("ListDocs.key_end", FieldLimits.TEXT_BYTES_MAX);
        keyEndOffset = reader.spanOffset();
      }
      case LIMIT_TAG -> limit = reader.int32("ListDocs.limit");
      case OMIT_VALUES_TAG -> omitsValues = reader.bool("ListDocs.omit_values");
      default -> reader.skip(tag, 6, "ListDocs");
    }
  }

  private void readId() {
    IdDecoder id = ids.add();
    id.clear();
    id.read(reader, "ListDocs.ids");
    id.check(reader, "ListDocs.ids");
  }

  /** What all offsets refer to: a view of the buffer that was wrapped, at the same offsets. */
  public DirectBuffer buffer() {
    return reader.buffer();
  }

  /** Where the name of the namespace begins. */
  public int namespaceOffset() {
    return namespaceOffset;
  }

  /** Bytes of the name of the namespace; 0: none is asked for. */
  public int namespaceLength() {
    return namespaceLength;
  }

  /** How many docs are asked for by id; 0: any doc. */
  public int idCount() {
    return ids.count();
  }

  /** The id at an index from 0. */
  public IdDecoder id(int index) {
    return ids.get(index);
  }

  /** Where the first key that is wanted begins. */
  public int keyStartOffset() {
    return keyStartOffset;
  }

  /** Bytes of the first key that is wanted; 0: any. */
  public int keyStartLength() {
    return keyStartLength;
  }

  /** Where the first key that is not wanted any more begins. */
  public int keyEndOffset() {
    return keyEndOffset;
  }

  /** Bytes of the first key that is not wanted any more; 0: none. */
  public int keyEndLength() {
    return keyEndLength;
  }

  /** How many docs at most; 0 or less: all. */
  public int limit() {
    return limit;
  }

  /** Whether values are left out. */
  public boolean omitsValues() {
    return omitsValues;
  }
}
