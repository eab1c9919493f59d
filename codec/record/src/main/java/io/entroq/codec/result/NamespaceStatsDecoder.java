package io.entroq.codec.result;

import io.entroq.codec.command.FieldLimits;
import io.entroq.codec.command.WireReader;

/** A NamespaceStats inside a Result. Offsets refer to the buffer of the {@link ResultDecoder}. */
public final class NamespaceStatsDecoder {
  private static final int NAME_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int DOCS_TAG = 2 << 3 | WireReader.VARINT;
  private static final int CLAIMED_TAG = 3 << 3 | WireReader.VARINT;

  private int nameOffset;
  private int nameLength;
  private long docs;
  private long claimed;

  NamespaceStatsDecoder() {}

  void read(WireReader reader) {
    nameOffset = 0;
    nameLength = 0;
    docs = 0;
    claimed = 0;
    int outer = reader.enter("Result.namespaces");
    while (reader.hasNext()) {
      int tag = reader.tag("NamespaceStats");
      switch (tag) {
        case NAME_TAG -> {
          nameLength = reader.text("NamespaceStats.name", FieldLimits.TEXT_BYTES_MAX);
          nameOffset = reader.spanOffset();
        }
        case DOCS_TAG -> docs = reader.positive("NamespaceStats.docs");
        case CLAIMED_TAG -> claimed = reader.positive("NamespaceStats.claimed");
        default -> reader.skip(tag, 3, "NamespaceStats");
      }
    }
    reader.leave(outer);
  }

  /** Where the name begins. */
  public int nameOffset() {
    return nameOffset;
  }

  /** Bytes of the name. */
  public int nameLength() {
    return nameLength;
  }

  /** All docs. */
  public long docs() {
    return docs;
  }

  /** Docs that somebody holds. */
  public long claimed() {
    return claimed;
  }
}
