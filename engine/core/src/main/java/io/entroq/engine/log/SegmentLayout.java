package io.entroq.engine.log;

import io.entroq.codec.record.RecordFrame;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/**
 * What is fixed about a segment file, so that reading one back needs nobody's word but ours.
 *
 * <p>The first record begins at {@link #FIRST_RECORD_OFFSET}. Before every record stands one int
 * that belongs to Chronicle Queue and decides nothing; records begin at multiples of four. Behind
 * the last one may stand {@link #END_MARK}, then nothing but zeros.
 */
public final class SegmentLayout {
  /** Chronicle's header with one small index, which never grows at our settings. */
  public static final int FIRST_RECORD_OFFSET = 404;

  /** Ints before each record that are not ours. */
  public static final int WORD_BYTES = 4;

  /** What Chronicle leaves behind the last record of a segment that it has left, little endian. */
  public static final long END_MARK = 0x464f45c3_c0000000L;

  /** Room that is kept behind the last record of a segment for what may be left there. */
  static final int END_BYTES = 16;

  public static final String SUFFIX = "LX.cq4";

  private static final int ALIGNMENT = 4;
  private static final DateTimeFormatter HOURS =
      DateTimeFormatter.ofPattern("uuuuMMdd-HH", Locale.ROOT);
  private static final long SECONDS_PER_SEGMENT = 3_600;

  private SegmentLayout() {}

  /** Where the record begins that follows one of this many bytes. */
  public static long next(long offset, int recordBytes) {
    long end = offset + recordBytes;
    return ((end + ALIGNMENT - 1) & -ALIGNMENT) + WORD_BYTES;
  }

  /**
   * The length of a file in which the next record would begin at {@code offset} and nothing does:
   * so much that whoever has mapped it may look for a header there.
   */
  public static long endOfFile(long offset) {
    return offset + RecordFrame.HEADER_BYTES;
  }

  /**
   * Number of the segment in its run, from 0, or -1 if the file is not a segment. Chronicle names
   * files by time; here that is no clock but a count of made-up hours.
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
