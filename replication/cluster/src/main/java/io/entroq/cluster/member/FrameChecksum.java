package io.entroq.cluster.member;

import io.aeron.archive.checksum.Checksum;
import io.entroq.codec.record.Crc32c;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What tells a frame at the end of a recording that is whole from one that a kill or a full disk
 * has cut short: without it an archive takes each that ends in zeros for the latter. Thread of the
 * archive.
 */
final class FrameChecksum implements Checksum {
  private final Crc32c crc = new Crc32c();
  private final UnsafeBuffer frame = new UnsafeBuffer();

  FrameChecksum() {}

  @Override
  public int compute(long address, int offset, int length) {
    frame.wrap(address + offset, length);
    return crc.of(frame, 0, length);
  }
}
