package io.entroq.codec.result;

import io.entroq.codec.command.FieldLimits;
import io.entroq.codec.command.MalformedMessageException;
import io.entroq.codec.command.Spans;
import io.entroq.codec.command.WireReader;
import org.agrona.DirectBuffer;

/**
 * Reads what questions for queues and for namespaces have in common: which names match. Everything
 * that it returns is valid until the next wrap.
 */
public abstract sealed class NameQueryDecoder permits ListQueuesDecoder, ListNamespacesDecoder {
  private static final int MATCH_PREFIX_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int MATCH_EXACT_TAG = 2 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int LIMIT_TAG = 3 << 3 | WireReader.VARINT;

  private final WireReader reader = new WireReader();
  private final Spans prefixes = new Spans();
  private final Spans exacts = new Spans();
  private final String message;
  private int limit;

  NameQueryDecoder(String message) {
    this.message = message;
  }

  /**
   * Reads and checks a whole message.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public final void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    clear();
    while (reader.hasNext()) {
      int tag = reader.tag(message);
      switch (tag) {
        case MATCH_PREFIX_TAG -> readText(prefixes);
        case MATCH_EXACT_TAG -> readText(exacts);
        case LIMIT_TAG -> limit = reader.int32(message);
        default -> readMore(tag, reader);
      }
    }
  }

  void clear() {
    prefixes.clear();
    exacts.clear();
    limit = 0;
  }

  void readMore(int tag, WireReader from) {
    from.skip(tag, 3, message);
  }

  private void readText(Spans texts) {
    int length = reader.text(message, FieldLimits.TEXT_BYTES_MAX);
    texts.add(reader.spanOffset(), length);
  }

  /** What all offsets refer to: a view of the buffer that was wrapped, at the same offsets. */
  public final DirectBuffer buffer() {
    return reader.buffer();
  }

  /** How many prefixes are given; a name matches by any prefix or as any exact name. */
  public final int prefixCount() {
    return prefixes.count();
  }

  /** Where the prefix at an index from 0 begins. */
  public final int prefixOffset(int index) {
    return prefixes.offset(index);
  }

  /** Bytes of the prefix at an index from 0; every name begins with the empty one. */
  public final int prefixLength(int index) {
    return prefixes.length(index);
  }

  /** How many exact names are given. */
  public final int exactCount() {
    return exacts.count();
  }

  /** Where the exact name at an index from 0 begins. */
  public final int exactOffset(int index) {
    return exacts.offset(index);
  }

  /** Bytes of the exact name at an index from 0. */
  public final int exactLength(int index) {
    return exacts.length(index);
  }

  /** How many to list at most; 0 or less: all. */
  public final int limit() {
    return limit;
  }
}
