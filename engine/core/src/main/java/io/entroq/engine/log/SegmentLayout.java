package io.entroq.engine.log;

import io.entroq.codec.record.RecordFrame;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/**
 * The layout of a segment file, fixed so that files can be read without Chronicle Queue.
 *
 * <p>The first record starts at {@link #FIRST_RECORD_OFFSET}; records start at multiples of four.
 * Before each record is an int of Chronicle Queue that readers ignore. After the last one there may
 * be an {@link #END_MARK}, then only zeros.
 */
public final class SegmentLayout {
  /** After Chronicle's header with one small index, which never grows with our settings. */
  public static final int FIRST_RECORD_OFFSET = 404;

  /** Bytes of Chronicle's int before each record. */
  public static final int WORD_BYTES = 4;

  /** What Chronicle writes after the last record of a completed segment, little endian. */
  public static final long END_MARK = 0x464f45c3_c0000000L;

  /** Bytes reserved after the last record of a segment for the end mark. */
  static final int END_BYTES = 16;

  public static final String SUFFIX = "LX.cq4";

  private static final int ALIGNMENT = 4;
  private static final DateTimeFormatter HOURS =
      DateTimeFormatter.ofPattern("uuuuMMdd-HH", Locale.ROOT);
  private static final long SECONDS_PER_SEGMENT = 3_600;

  private SegmentLayout() {}

  /** Offset of the record that follows one of this many bytes. */
  public static long next(long offset, int recordBytes) {
    long end = offset + recordBytes;
    return ((end + ALIGNMENT - 1) & -ALIGNMENT) + WORD_BYTES;
  }

  /**
   * Length of a file that ends before a record at {@code offset}: long enough that a reader that
   * has mapped it may look for a header there.
   */
  public static long endOfFile(long offset) {
    return offset + RecordFrame.HEADER_BYTES;
  }

  /**
   * The number of a segment in its run, from 0; -1 if the file is not a segment. Chronicle names
   * files by time; ours is a counter expressed in hours.
   */
  public static long numberOf(String fileName) {
    if (!fileName.endsWith(SUFFIX)) {
      return -1;
    }
    String hours = fileName.substring(0, fileName.length() - SUFFIX.length());
    try {
      return LocalDateTime.parse(hours, HOURS).toEpochSecond(ZoneOffset.UTC) / SECONDS_PER_SEGMENT;
    } catch (DateTimeParseException e) {
      return -1;
    }
  }

  /** The reverse of {@link #numberOf}. */
  public static String fileName(long number) {
    return LocalDateTime.ofEpochSecond(number * SECONDS_PER_SEGMENT, 0, ZoneOffset.UTC)
            .format(HOURS)
        + SUFFIX;
  }
}
