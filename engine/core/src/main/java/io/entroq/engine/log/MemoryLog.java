package io.entroq.engine.log;

import io.entroq.codec.record.RecordFrame;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A log in memory with the same record bytes as one on disk. It keeps all records, so it is for
 * tests and short logs.
 */
public final class MemoryLog extends AbstractCommandLog {
  private final LogConfig config;
  private final int logTag;
  private final RecordFrame frame = new RecordFrame();
  private final List<Segment> segments = new ArrayList<>();

  public MemoryLog(LogConfig config, int logTag) {
    super(new LogProgress(0, 0));
    this.config = config;
    this.logTag = logTag;
  }

  @Override
  public void append(
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    progress.requireAppendable(sequence, length, config.payloadBytesMax());
    int recordBytes = RecordFrame.HEADER_BYTES + length;
    Segment segment = segmentFor(recordBytes);
    long forced = progress.forcedSequence();
    frame.write(
        segment.buffer,
        segment.bytes,
        type,
        sequence,
        forced,
        logTimeMs,
        logTag,
        payloadCrc,
        payload,
        offset,
        length);
    segment.bytes += recordBytes;
    progress.onAppended(sequence, recordBytes);
  }

  private Segment segmentFor(int recordBytes) {
    Segment last = segments.isEmpty() ? null : segments.get(segments.size() - 1);
    if (last == null || last.bytes + recordBytes > last.buffer.capacity()) {
      last = new Segment(Math.max(config.segmentBytes(), recordBytes));
      segments.add(last);
    }
    return last;
  }

  /** Passes every record, verified, to the handler. Appending thread only. */
  public void replay(RecordHandler handler) {
    for (Segment segment : segments) {
      for (int at = 0; at < segment.bytes; at += frame.length()) {
        frame.verify(segment.buffer, at, segment.bytes - at);
        handler.onRecord(
            frame.type(),
            frame.sequence(),
            frame.logTimeMs(),
            frame.payloadCrc(),
            segment.buffer,
            at + RecordFrame.HEADER_BYTES,
            frame.payloadLength());
      }
    }
  }

  @Override
  public synchronized void force() {
    progress.requireUsable();
    long bytes = progress.appendedBytes();
    long sequence = progress.appendedSequence();
    try {
      config.forcer().force("log in memory", () -> {});
    } catch (IOException e) {
      throw progress.fail(LogException.fatal("Forcing the log in memory failed: " + e, e));
    }
    progress.onForced(sequence, bytes);
  }

  private static final class Segment {
    final UnsafeBuffer buffer;
    int bytes;

    Segment(int capacity) {
      buffer = new UnsafeBuffer(new byte[capacity]);
    }
  }
}
