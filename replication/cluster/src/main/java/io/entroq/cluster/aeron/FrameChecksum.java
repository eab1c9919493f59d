package io.entroq.cluster.aeron;

import io.aeron.archive.checksum.Checksum;
import io.aeron.protocol.DataHeaderFlyweight;
import io.entroq.codec.record.Crc32c;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What tells that a frame of a recording is as it was written: when it is read again, and at the
 * end of a recording, where a kill or a full disk may have cut it short. It is over header and
 * content, but for the session, in whose place an archive keeps it. Thread of the archive.
 */
public final class FrameChecksum implements Checksum {
  private static final int HEADER_BYTES = DataHeaderFlyweight.HEADER_LENGTH;
  private static final int KEPT_AT = DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET;
  private static final int KEPT_TO = DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET;

  private final Crc32c crc = new Crc32c();
  private final UnsafeBuffer frame = new UnsafeBuffer();

  public FrameChecksum() {}

  /**
   * An archive asks for the content, and the header is before it; also of entries of its catalogue,
   * whose sums nobody compares.
   */
  @Override
  public int compute(long address, int offset, int length) {
    frame.wrap(address + offset - HEADER_BYTES, HEADER_BYTES + length);
    crc.reset();
    crc.update(frame, 0, KEPT_AT);
    crc.update(frame, KEPT_TO, HEADER_BYTES + length - KEPT_TO);
    return crc.value();
  }
}
