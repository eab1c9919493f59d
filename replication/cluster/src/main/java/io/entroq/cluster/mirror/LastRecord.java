package io.entroq.cluster.mirror;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * The record that was applied last, kept while the mirror is out, as it is what it begins anew
 * with. Applying thread.
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

  /** Whether it has led to the state with this sequence. */
  boolean hasLedTo(long stateSequence) {
    return sequence > 0 && sequence == stateSequence;
  }

  /**
   * Puts it in as the one that a mirror begins with.
   *
   * @param logTag of the log
   * @return false if there is no room
   */
  boolean offerTo(MirrorQueue queue, int logTag) {
    int tag = MirrorQueue.tag(sequence, logTag);
    return queue.offer(true, type, tag, sequence, timeMs, crc, payload, 0, length);
  }

  /** It is of no use. */
  void forget() {
    sequence = 0;
  }
}
