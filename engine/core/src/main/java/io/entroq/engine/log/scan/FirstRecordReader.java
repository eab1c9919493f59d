package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFault;
import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.DataFile;
import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.SegmentLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads the header of a segment's first record, whatever the state of its payload. Not thread-safe.
 */
public final class FirstRecordReader {
  private final RecordFrame frame = new RecordFrame();
  private final ByteBuffer bytes = ByteBuffer.allocate(RecordFrame.HEADER_BYTES);
  private final UnsafeBuffer header = new UnsafeBuffer(bytes);

  /**
   * Reads the record's sequence; 0 if its header is bad.
   *
   * @throws LogException if the file cannot be read or no longer exists
   */
  public long sequenceOf(LogSegment segment) {
    int read = read(segment);
    RecordFault fault = frame.check(header, 0, read);
    // TRUNCATED is expected, because only the header was read.
    boolean isGood = fault == RecordFault.NONE || fault == RecordFault.TRUNCATED;
    return isGood && read == RecordFrame.HEADER_BYTES ? frame.sequence() : 0;
  }

  /** The record's log tag, if its header is good. */
  public int logTag() {
    return frame.logTag();
  }

  /** The record's log time, if its header is good. */
  public long logTimeMs() {
    return frame.logTimeMs();
  }

  /** The payload checksum in the header, if that is good. */
  int payloadCrc() {
    return frame.payloadCrc();
  }

  private int read(LogSegment segment) {
    bytes.clear();
    try (FileChannel channel = DataFile.openToRead(segment.file())) {
      int at = SegmentLayout.FIRST_RECORD_OFFSET;
      while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) > 0) {
        // A read may be partial.
      }
      return bytes.position();
    } catch (NoSuchFileException e) {
      throw new SegmentRemovedException(segment.file(), e);
    } catch (IOException e) {
      throw LogException.error(
          "Cannot read the segment " + segment.file() + ": " + FileErrors.describe(e), e);
    }
  }
}
