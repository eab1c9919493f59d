package io.entroq.codec.result;

import io.entroq.codec.command.FieldLimits;
import io.entroq.codec.command.IdDecoder;
import io.entroq.codec.command.ItemList;
import io.entroq.codec.command.MalformedMessageException;
import io.entroq.codec.command.WireReader;
import org.agrona.DirectBuffer;

/** Reads a ListTasks. Everything that it returns is valid until the next wrap. */
public final class ListTasksDecoder {
  private static final int QUEUE_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int IDS_TAG = 2 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int CLAIMANT_TAG = 3 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int LIMIT_TAG = 4 << 3 | WireReader.VARINT;
  private static final int OMIT_VALUES_TAG = 5 << 3 | WireReader.VARINT;
  private static final int FACADE_TAG = 6 << 3 | WireReader.VARINT;

  private final WireReader reader = new WireReader();
  private final ItemList<IdDecoder> ids = new ItemList<>(IdDecoder::new);
  private final IdDecoder claimant = new IdDecoder();
  private int queueOffset;
  private int queueLength;
  private int limit;
  private boolean omitsValues;
  private boolean isV0;

  /** A decoder of nothing until it is wrapped. */
  public ListTasksDecoder() {}

  /**
   * Reads and checks a whole ListTasks.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    clear();
    while (reader.hasNext()) {
      int tag = reader.tag("ListTasks");
      switch (tag) {
        case QUEUE_TAG -> {
          queueLength = reader.text("ListTasks.queue", FieldLimits.TEXT_BYTES_MAX);
          queueOffset = reader.spanOffset();
        }
        case IDS_TAG -> readId();
        case CLAIMANT_TAG -> claimant.read(reader, "ListTasks.claimant");
        case LIMIT_TAG -> limit = reader.int32("ListTasks.limit");
        case OMIT_VALUES_TAG -> omitsValues = reader.bool("ListTasks.omit_values");
        case FACADE_TAG -> isV0 = reader.enumeration("ListTasks.facade", 1) == 1;
        default -> reader.skip(tag, 6, "ListTasks");
      }
    }
    claimant.check(reader, "ListTasks.claimant");
  }

  private void clear() {
    ids.clear();
    claimant.clear();
    queueOffset = 0;
    queueLength = 0;
    limit = 0;
    omitsValues = false;
    isV0 = false;
  }

  private void readId() {
    IdDecoder id = ids.add();
    id.clear();
    id.read(reader, "ListTasks.ids");
    id.check(reader, "ListTasks.ids");
  }

  /** What all offsets refer to: a view of the buffer that was wrapped, at the same offsets. */
  public DirectBuffer buffer() {
    return reader.buffer();
  }

  /** Where the name of the queue begins. */
  public int queueOffset() {
    return queueOffset;
  }

  /** Bytes of the name of the queue; 0: any queue. */
  public int queueLength() {
    return queueLength;
  }

  /** How many tasks are asked for by id; 0: any task. */
  public int idCount() {
    return ids.count();
  }

  /** Upper half of the id at an index from 0. */
  public long idHigh(int index) {
    return ids.get(index).high();
  }

  /** Lower half of the id at an index from 0. */
  public long idLow(int index) {
    return ids.get(index).low();
  }

  /** Where the text of the id at an index from 0 begins. */
  public int idTextOffset(int index) {
    return ids.get(index).textOffset();
  }

  /** Bytes of the text of the id at an index from 0; 0: the key gives it back. */
  public int idTextLength(int index) {
    return ids.get(index).textLength();
  }

  /** Upper half of the claimant's key; both halves 0: no filter. */
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

  /** How many tasks at most; 0 or less: all. */
  public int limit() {
    return limit;
  }

  /** Whether values are left out. */
  public boolean omitsValues() {
    return omitsValues;
  }

  /** Whether it came through the v0 API. */
  public boolean isV0() {
    return isV0;
  }
}
