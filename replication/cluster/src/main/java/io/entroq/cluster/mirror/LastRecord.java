package io.entroq.cluster.mirror;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * The last applied record, kept while the mirror is out, since it restarts with it. Applying
 * thread.
 */
final class LastRecord {
  private final ExpandableArrayBuffer payload = new ExpandableArrayBuffer();
  private int type;
  private long sequence;
  private long timeMs;
  private int crc;
  private int length;

  void keep(
      int newType,
      long newSequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer buffer,
      int offset,
      int newLength) {
    type = newType;
    sequence = newSequence;
    timeMs = logTimeMs;
    crc = payloadCrc;
    length = newLength;
    payload.putBytes(0, buffer, offset, newLength);
  }

  /** Whether this record is the last one of the state with a sequence. */
  boolean isLastOf(long stateSequence) {
    return sequence > 0 && sequence == stateSequence;
  }

  /**
   * Puts the record into the queue as the first one of a restarted mirror.
   *
   * @return false if it is longer than the queue accepts
   */
  boolean offerTo(MirrorQueue queue, int logTag) {
    int tag = MirrorQueue.tag(sequence, logTag);
    return queue.offer(true, type, tag, sequence, timeMs, crc, payload, 0, length);
  }

  void forget() {
    sequence = 0;
  }
}
