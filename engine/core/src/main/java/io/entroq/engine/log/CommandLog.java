package io.entroq.engine.log;

import org.agrona.DirectBuffer;

/**
 * An ordered sequence of records that only grows.
 *
 * <p>One thread appends, any forces, any reads the counters. Never interrupt the appending thread
 * or one that forces: an interrupt closes the file under them.
 */
public interface CommandLog extends AutoCloseable {
  /**
   * Appends one record; when this returns, it survives the death of the process. Copies the
   * payload. Rolls to a new segment by itself. Appending thread only.
   *
   * @param type a {@link io.entroq.codec.record.RecordType}
   * @param sequence the one after {@link #appendedSequence()}
   * @param logTimeMs milliseconds since the epoch, not less than that of the record before
   * @param payloadCrc CRC32C of the payload
   * @throws IllegalArgumentException if the payload is longer than the configuration allows or the
   *     sequence is not the next one; nothing was appended
   * @throws LogException if the record could not be written, or after any failure before; fatal
   */
  void append(
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length);

  /** The highest sequence appended, 0 in an empty log. Any thread. */
  long appendedSequence();

  /** Bytes of the records appended through this object. Any thread. */
  long appendedBytes();

  /**
   * Forces to the disk all that was appended when this was called. Any thread; blocks while another
   * forces.
   *
   * @throws LogException if that failed or anything had failed before. Fatal and never retried:
   *     after a failed force nobody knows which pages the disk holds
   */
  void force();

  /** The highest sequence known to be on the disk, with all before it. Any thread. */
  long forcedSequence();

  /**
   * Bytes appended through this object and known to be on the disk, or a little less. Any thread.
   */
  long forcedBytes();

  /** Ends use, without forcing. Appending thread, when nothing forces any more. */
  @Override
  void close();

  /**
   * Ends use as {@link #close} does, and changes nothing on the disk: what is there is what the
   * death of the process would have left. When neither thread is at work any more.
   */
  default void abandon() {
    close();
  }
}
