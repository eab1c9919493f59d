package io.entroq.codec.command;

import org.agrona.DirectBuffer;

/** Reads a Cut. Everything that it returns is valid until the next wrap. */
public final class CutDecoder {
  private static final int AFTER_SEQUENCE_TAG = 1 << 3 | WireReader.VARINT;
  private static final int SEGMENT_TAG = 2 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int OFFSET_TAG = 3 << 3 | WireReader.VARINT;
  private static final int DROPPED_BYTES_TAG = 4 << 3 | WireReader.VARINT;

  private final WireReader reader = new WireReader();
  private long afterSequence;
  private int segmentOffset;
  private int segmentLength;
  private long cutOffset;
  private long droppedBytes;

  /** A decoder of nothing until it is wrapped. */
  public CutDecoder() {}

  /**
   * Reads and checks a whole Cut.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    clear();
    while (reader.hasNext()) {
      int tag = reader.tag("Cut");
      switch (tag) {
        case AFTER_SEQUENCE_TAG -> afterSequence = reader.positive("Cut.after_sequence");
        case SEGMENT_TAG -> {
          segmentLength = reader.text("Cut.segment", FieldLimits.TEXT_BYTES_MAX);
          segmentOffset = reader.spanOffset();
        }
        case OFFSET_TAG -> cutOffset = reader.positive("Cut.offset");
        case DROPPED_BYTES_TAG -> droppedBytes = reader.positive("Cut.dropped_bytes");
        default -> reader.skip(tag, 4, "Cut");
      }
    }
  }

  private void clear() {
    afterSequence = 0;
    segmentOffset = 0;
    segmentLength = 0;
    cutOffset = 0;
    droppedBytes = 0;
  }

  /** What all offsets refer to: a view of the buffer that was wrapped, at the same offsets. */
  public DirectBuffer buffer() {
    return reader.buffer();
  }

  /** The last good record before the cut; 0: none. */
  public long afterSequence() {
    return afterSequence;
  }

  /** Where the name of the file that was cut begins. */
  public int segmentOffset() {
    return segmentOffset;
  }

  /** Bytes of the name of the file that was cut. */
  public int segmentLength() {
    return segmentLength;
  }

  /** Byte offset of the cut in that file. */
  public long cutOffset() {
    return cutOffset;
  }

  /** How many bytes that are not zero lay behind the cut. */
  public long droppedBytes() {
    return droppedBytes;
  }
}
