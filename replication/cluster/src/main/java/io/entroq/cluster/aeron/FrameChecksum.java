package io.entroq.cluster.aeron;

import io.aeron.archive.checksum.Checksum;
import io.aeron.protocol.DataHeaderFlyweight;
import io.entroq.codec.record.Crc32c;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The checksum of a recorded frame. The archive compares it when it reads the frame again, and at
 * the end of a recording that a kill or a full disk may have cut short. It covers header and
 * payload except the session id, whose field stores the checksum. Archive thread.
 */
public final class FrameChecksum implements Checksum {
  private static final int HEADER_BYTES = DataHeaderFlyweight.HEADER_LENGTH;
  private static final int CHECKSUM_START = DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET;
  private static final int CHECKSUM_END = DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET;

  private final Crc32c crc = new Crc32c();
  private final UnsafeBuffer frame = new UnsafeBuffer();

  public FrameChecksum() {}

  /**
   * The archive passes the payload; the header precedes it. It also calls this for catalog entries,
   * but nothing compares those checksums.
   */
  @Override
  public int compute(long address, int offset, int length) {
    frame.wrap(address + offset - HEADER_BYTES, HEADER_BYTES + length);
    crc.reset();
    crc.update(frame, 0, CHECKSUM_START);
    crc.update(frame, CHECKSUM_END, HEADER_BYTES + length - CHECKSUM_END);
    return crc.value();
  }
}
