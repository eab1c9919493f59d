package io.entroq.engine.log;

import java.nio.file.Path;
import org.agrona.MutableDirectBuffer;

/**
 * Where the records of one run go: the seam between the discipline of the log and whatever holds
 * the bytes. {@link SegmentedLog} says when a segment ends and where a record stands; this gives
 * the memory for it and makes the files, as {@link SegmentLayout} lays them out.
 *
 * <p>What was committed survives the death of the process, not the loss of power: forcing goes
 * through the files themselves. One thread at a time; nothing here may allocate per record.
 *
 * <p>It may throw whatever it likes, and is used no more afterwards but to be closed.
 */
public interface RunAppender extends AutoCloseable {
  /** The next record begins a new segment, the number of which is one more than the last one's. */
  void roll();

  /**
   * Room for one record. {@link #commit} or {@link #rollback} follows.
   *
   * @param position where the record begins in its segment: {@link
   *     SegmentLayout#FIRST_RECORD_OFFSET} in a new one, {@link SegmentLayout#next} behind another
   * @param length of the record, in bytes
   * @return memory of at least that length, valid until the record is committed or rolled back
   * @throws IllegalStateException if a record written now would stand elsewhere
   */
  MutableDirectBuffer open(long position, int length);

  /** What was written to the memory given last is a record. */
  void commit();

  /** What was written to the memory given last is none. */
  void rollback();

  /** The file of the segment that the last record went to; there is one. */
  Path file();

  /**
   * Says what may have gone wrong, for those who can help.
   *
   * @param failure what a method of this appender, or writing to its memory, has thrown
   */
  default String explain(Throwable failure) {
    return failure.toString();
  }

  /** Ends use; the files stay. */
  @Override
  void close();
}
