package io.entroq.cluster.mirror;

import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * A bounded queue of records from the applying thread to the mirror's writer thread. The applying
 * thread never waits.
 */
final class MirrorQueue {
  private static final int RECORD = 1;
  private static final int RESTART = 2;
  private static final int BATCH_MAX = 256;
  private static final int ALIGNMENT = 64;

  private static final int TYPE_OFFSET = 0;
  private static final int LOG_TAG_OFFSET = 4;
  private static final int SEQUENCE_OFFSET = 8;
  private static final int TIME_OFFSET = 16;
  private static final int CRC_OFFSET = 24;
  private static final int HEADER_BYTES = 32;

  private final OneToOneRingBuffer ring;

  /**
   * @param bytes capacity, a power of two
   */
  MirrorQueue(int bytes) {
    ByteBuffer memory =
        BufferUtil.allocateDirectAligned(bytes + RingBufferDescriptor.TRAILER_LENGTH, ALIGNMENT);
    ring = new OneToOneRingBuffer(new UnsafeBuffer(memory));
  }

  /** Receives records from the queue. */
  @FunctionalInterface
  interface Receiver {
    /**
     * Receives the next record; the payload is valid during the call.
     *
     * @param isRestart whether the mirror restarts with this record
     * @param logTag of the log; 0 for the first record, which contains it
     */
    void onRecord(
        boolean isRestart,
        int type,
        int logTag,
        long sequence,
        long logTimeMs,
        int payloadCrc,
        DirectBuffer payload,
        int offset,
        int length);
  }

  /** The log tag of a record. It is only known after the first record has been applied. */
  static int tag(long sequence, int logTag) {
    return sequence == 1 ? 0 : logTag;
  }

  /**
   * Adds a record. Applying thread.
   *
   * @return false if there is no room
   */
  boolean offer(
      boolean isRestart,
      int type,
      int logTag,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    if (HEADER_BYTES + length > ring.maxMsgLength()) {
      return false;
    }
    int at = ring.tryClaim(isRestart ? RESTART : RECORD, HEADER_BYTES + length);
    if (at <= 0) {
      return false;
    }
    AtomicBuffer buffer = ring.buffer();
    buffer.putInt(at + TYPE_OFFSET, type);
    buffer.putInt(at + LOG_TAG_OFFSET, logTag);
    buffer.putLong(at + SEQUENCE_OFFSET, sequence);
    buffer.putLong(at + TIME_OFFSET, logTimeMs);
    buffer.putInt(at + CRC_OFFSET, payloadCrc);
    buffer.putBytes(at + HEADER_BYTES, payload, offset, length);
    ring.commit(at);
    return true;
  }

  /**
   * Delivers a batch of records. Writer thread.
   *
   * @return number of records
   */
  int read(Receiver receiver) {
    return ring.read(
        (kind, buffer, offset, length) -> deliver(receiver, kind, buffer, offset, length),
        BATCH_MAX);
  }

  private static void deliver(
      Receiver receiver, int kind, MutableDirectBuffer buffer, int offset, int length) {
    receiver.onRecord(
        kind == RESTART,
        buffer.getInt(offset + TYPE_OFFSET),
        buffer.getInt(offset + LOG_TAG_OFFSET),
        buffer.getLong(offset + SEQUENCE_OFFSET),
        buffer.getLong(offset + TIME_OFFSET),
        buffer.getInt(offset + CRC_OFFSET),
        buffer,
        offset + HEADER_BYTES,
        length - HEADER_BYTES);
  }

  /** Bytes in the queue. Any thread. */
  int bytes() {
    return ring.size();
  }
}
