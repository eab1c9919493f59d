package io.entroq.codec.result;

import io.entroq.codec.command.FieldLimits;
import io.entroq.codec.command.MalformedMessageException;
import io.entroq.codec.command.Spans;
import io.entroq.codec.command.WireReader;
import org.agrona.DirectBuffer;

/** Reads a ListQueues. Everything that it returns is valid until the next wrap. */
public final class ListQueuesDecoder {
  private static final int MATCH_PREFIX_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int MATCH_EXACT_TAG = 2 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int LIMIT_TAG = 3 << 3 | WireReader.VARINT;
  private static final int OMIT_STATS_TAG = 4 << 3 | WireReader.VARINT;

  private final WireReader reader = new WireReader();
  private final Spans prefixes = new Spans();
  private final Spans exacts = new Spans();
  private int limit;
  private boolean omitsStats;

  /** A decoder of nothing until it is wrapped. */
  public ListQueuesDecoder() {}

  /**
   * Reads and checks a whole ListQueues.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    prefixes.clear();
    exacts.clear();
    limit = 0;
    omitsStats = false;
    while (reader.hasNext()) {
      int tag = reader.tag("ListQueues");
      switch (tag) {
        case MATCH_PREFIX_TAG -> readText(prefixes, "ListQueues.match_prefix");
        case MATCH_EXACT_TAG -> readText(exacts, "ListQueues.match_exact");
        case LIMIT_TAG -> limit = reader.int32("ListQueues.limit");
        case OMIT_STATS_TAG -> omitsStats = reader.bool("ListQueues.omit_stats");
        default -> reader.skip(tag, 4, "ListQueues");
      }
    }
  }

  private void readText(Spans texts, String field) {
    int length = reader.text(field, FieldLimits.TEXT_BYTES_MAX);
    texts.add(reader.spanOffset(), length);
  }

  /** What all offsets refer to: a view of the buffer that was wrapped, at the same offsets. */
  public DirectBuffer buffer() {
    return reader.buffer();
  }

  /** How many prefixes are given; a queue matches if it matches any prefix or any exact name. */
  public int prefixCount() {
    return prefixes.count();
  }

  /** Where the prefix at an index from 0 begins. */
  public int prefixOffset(int index) {
    return prefixes.offset(index);
  }

  /** Bytes of the prefix at an index from 0; the empty one matches every queue. */
  public int prefixLength(int index) {
    return prefixes.length(index);
  }

  /** How many exact names are given. */
  public int exactCount() {
    return exacts.count();
  }

  /** Where the exact name at an index from 0 begins. */
  public int exactOffset(int index) {
    return exacts.offset(index);
  }

  /** Bytes of the exact name at an index from 0. */
  public int exactLength(int index) {
    return exacts.length(index);
  }

  /** How many queues at most; 0 or less: all. */
  public int limit() {
    return limit;
  }

  /** Whether only names and sizes are asked for. */
  public boolean omitsStats() {
    return omitsStats;
  }
}
