package io.entroq.engine.log;

import org.agrona.DirectBuffer;

/**
 * An append-only sequence of records.
 *
 * <p>One thread appends; any thread may force or read the counters. Never interrupt the appending
 * thread or one that forces: an interrupt closes the file they use.
 */
public interface CommandLog extends AutoCloseable {
  /**
   * Appends one record, which survives the death of the process when this returns. Copies the
   * payload, and rolls to a new segment if needed. Appending thread only.
   *
   * @param type a {@link io.entroq.codec.record.RecordType}
   * @param sequence {@link #appendedSequence()} plus one
   * @param logTimeMs milliseconds since the epoch, at least that of the previous record
   * @param payloadCrc CRC32C of the payload
   * @throws IllegalArgumentException if the payload is too long or the sequence is not the next
   *     one; nothing was appended
   * @throws LogException if the record could not be written, or after any earlier failure; fatal
   */
  void append(
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length);

  /** The last sequence appended; 0 in an empty log. Any thread. */
  long appendedSequence();

  /** Bytes of records appended through this object. Any thread. */
  long appendedBytes();

  /**
   * Forces everything appended before this call to the disk. Any thread; blocks while another
   * forces.
   *
   * @throws LogException if that fails, or after any earlier failure. Fatal and never retried,
   *     because after a failed force it is unknown which pages are on the disk
   */
  void force();

  /** The last sequence known to be on the disk with all before it. Any thread. */
  long forcedSequence();

  /** Bytes appended through this object and known to be on the disk; may lag. Any thread. */
  long forcedBytes();

  /** Closes the log without forcing. Appending thread, when no thread forces any more. */
  @Override
  void close();

  /**
   * Closes the log but changes nothing on the disk, as if the process had died. Call it when no
   * thread appends or forces any more.
   */
  default void abandon() {
    close();
  }
}
