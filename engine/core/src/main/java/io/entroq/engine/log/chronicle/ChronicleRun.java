package io.entroq.engine.log.chronicle;

import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.RunAppender;
import io.entroq.engine.log.SegmentLayout;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.CloseHelper;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One run as a new Chronicle queue. Records are raw bytes, written directly to its memory-mapped
 * files.
 */
final class ChronicleRun implements RunAppender {
  private final LogConfig config;
  private final Path run;
  private final RunQueue queue;
  private final ExcerptAppender appender;
  private final UnsafeBuffer target = new UnsafeBuffer(0, 0);

  /** The record being written. */
  private DocumentContext document;

  private Bytes<?> bytes;
  private int length;

  ChronicleRun(Path run, LogConfig config) {
    this.run = run;
    this.config = config;
    this.queue = new RunQueue(run, config);
    try {
      this.appender = queue.createAppender();
    } catch (Throwable e) {
      CloseHelper.quietClose(queue);
      throw e;
    }
  }

  @Override
  public void roll() {
    queue.roll();
  }

  @Override
  public MutableDirectBuffer open(long position, int recordBytes) {
    document = appender.writingDocument();
    try {
      bytes = document.wire().bytes();
      requirePosition(bytes.writePosition(), position);
      if (config.isForcedOften() && position == SegmentLayout.FIRST_RECORD_OFFSET) {
        SegmentPages.useSingly(bytes.addressForWrite(0), config.segmentBytes());
      }
      length = recordBytes;
      target.wrap(bytes.addressForWrite(position), recordBytes);
      return target;
    } catch (Throwable e) {
      rollback();
      throw e;
    }
  }

  /** The scanner expects the record exactly here. */
  private static void requirePosition(long actual, long expected) {
    if (actual != expected) {
      throw new IllegalStateException(
          "Chronicle Queue puts the record at offset "
              + actual
              + " instead of "
              + expected
              + "; this build cannot read that layout");
    }
  }

  @Override
  public void commit() {
    try {
      bytes.writeSkip(length);
    } catch (Throwable e) {
      rollback();
      throw e;
    }
    document.close();
  }

  @Override
  public void rollback() {
    try {
      document.rollbackOnClose();
    } finally {
      document.close();
    }
  }

  @Override
  public Path file() {
    return appender.currentFile().toPath();
  }

  @Override
  public String explain(Throwable failure) {
    return ChronicleErrors.why(run, failure);
  }

  @Override
  public void close() {
    CloseHelper.closeAll(appender, queue);
  }
}
