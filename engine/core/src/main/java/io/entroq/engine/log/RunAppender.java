package io.entroq.engine.log;

import java.nio.file.Path;
import org.agrona.MutableDirectBuffer;

/**
 * Writes the records of one run to segment files. {@link SegmentedLog} decides when a segment ends
 * and where a record starts; this creates the files, laid out as in {@link SegmentLayout}, and
 * provides the memory.
 *
 * <p>Committed records survive the death of the process, but not a power failure: the files are
 * forced separately. Not thread-safe; must not allocate per record. After any exception it is only
 * closed.
 */
public interface RunAppender extends AutoCloseable {
  /** Starts the next segment with the next record. */
  void roll();

  /**
   * Provides memory for one record. {@link #commit} or {@link #rollback} follows.
   *
   * @param position offset of the record in its segment: {@link SegmentLayout#FIRST_RECORD_OFFSET}
   *     in a new one, otherwise {@link SegmentLayout#next}
   * @param length bytes of the record
   * @return at least that many bytes, valid until commit or rollback
   * @throws IllegalStateException if the record would be written at another offset
   */
  MutableDirectBuffer open(long position, int length);

  /** Commits the record in the memory that {@link #open} returned. */
  void commit();

  /** Discards the record in the memory that {@link #open} returned. */
  void rollback();

  /** The segment file of the last record. */
  Path file();

  /**
   * Explains a failure to the operator.
   *
   * @param failure thrown by a method of this appender or by a write to its memory
   */
  default String explain(Throwable failure) {
    return failure.toString();
  }

  /** Closes the run; the files stay. */
  @Override
  void close();
}
