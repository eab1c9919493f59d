package io.entroq.engine.log.chronicle;

import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.JvmFlags;
import io.entroq.engine.log.ClosedMark;
import io.entroq.engine.log.CountedLog;
import io.entroq.engine.log.FileTrouble;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogProgress;
import io.entroq.engine.log.SegmentLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The log on disk: records appended as raw bytes to the memory-mapped segments of a fresh Chronicle
 * queue, and forced through file channels of our own.
 *
 * <p>An appended record is in the page cache and so survives the death of the process. Only what a
 * force has covered survives the loss of power, and only that is ever said to be forced.
 */
public final class ChronicleLog extends CountedLog {
  private static final long SPACE_CHECK_BYTES = 1 << 20;

  private final LogConfig config;
  private final int logTag;
  private final RecordFrame frame = new RecordFrame();
  private final UnsafeBuffer target = new UnsafeBuffer(0, 0);
  private final RunQueue queue;
  private final ExcerptAppender appender;
  private final SegmentChain chain;
  private final LogDirectory directory;
  private final Path run;
  private final ReentrantLock forcing = new ReentrantLock();

  /** The newest segment, null before the first record. */
  private Path segment;

  private long position = SegmentLayout.FIRST_RECORD_OFFSET;

  /** Whether the run may hold something. */
  private boolean isUsed;

  /** Appended since the last look at the free space; the first record is looked at. */
  private long uncheckedBytes = SPACE_CHECK_BYTES;

  private ChronicleLog(
      LogDirectory directory,
      Path run,
      LogConfig config,
      int logTag,
      long lastSequence,
      long forcedSequence) {
    super(new LogProgress(lastSequence, forcedSequence));
    this.directory = directory;
    this.run = run;
    this.config = config;
    this.logTag = logTag;
    this.chain = new SegmentChain(config.forcer());
    this.queue = new RunQueue(run, config);
    this.appender = queue.createAppender();
  }

  /**
   * Opens the log for appending, in a new run.
   *
   * @param logTag the tag of the log, from its first record
   * @param lastSequence the last sequence that the log holds, 0 if none
   * @param forcedSequence the last of those that is known to be on the disk
   * @throws LogException if the run cannot be created
   * @throws IllegalStateException if the JVM was started without the flags that this needs
   */
  public static ChronicleLog open(
      LogDirectory directory,
      LogConfig config,
      int logTag,
      long lastSequence,
      long forcedSequence) {
    JvmFlags.require();
    Path run = directory.newRun(lastSequence + 1);
    try {
      return new ChronicleLog(directory, run, config, logTag, lastSequence, forcedSequence);
    } catch (Exception | InternalError e) {
      directory.removeRun(run);
      throw LogException.fatal(
          "Cannot open the log in %s: %s".formatted(run, whyNotOpen(directory, e)), e);
    }
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
    requireSpace(sequence, recordBytes);
    if (!isUsed) {
      removeMark();
      isUsed = true;
    }
    long end = position;
    if (!fits(recordBytes)) {
      queue.roll();
      position = SegmentLayout.FIRST_RECORD_OFFSET;
    }
    try {
      write(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
      if (position == SegmentLayout.FIRST_RECORD_OFFSET) {
        onNewSegment(end);
      }
    } catch (Throwable e) {
      // Chronicle Queue throws what it does not declare, such as that it cannot create a segment.
      throw progress.fail(
          LogException.fatal(
              "Appending record %d to %s failed: %s".formatted(sequence, run, why(directory, e)),
              e));
    }
    position = SegmentLayout.next(position, recordBytes);
    progress.onAppended(sequence, recordBytes);
  }

  /** The name of the run says the same by now; only a cut would be at odds with it. */
  private void removeMark() {
    try {
      directory.removeClosedMark(config.forcer());
    } catch (IOException e) {
      throw progress.fail(
          LogException.fatal(
              "Cannot remove %s, which says where the log ended: %s"
                  .formatted(ClosedMark.fileIn(directory.directory()), FileTrouble.describe(e)),
              e));
    }
  }

  /**
   * @param end where the segment before has ended
   */
  private void onNewSegment(long end) {
    Path before = segment;
    segment = appender.currentFile().toPath();
    // Linked before the sequence is published, so that a force that covers it finds the file.
    chain.add(segment);
    if (before != null) {
      directory.trim(before, end);
    }
  }

  /** Chronicle Queue does not always say what the file system has said. */
  private static String whyNotOpen(LogDirectory directory, Throwable failure) {
    return failure instanceof InternalError
        ? why(directory, failure)
        : whyNoFile(directory, failure);
  }

  private static String whyNoFile(LogDirectory directory, Throwable failure) {
    return ("%s. It cannot make a file there: %,d bytes are free on its file system (df); that may"
            + " have no room for more files (df -i) or be read-only (mount), or this process has too"
            + " many open (ulimit -n). Put that right, then open the directory again.")
        .formatted(failure, directory.usableBytes());
  }

  /** A full disk shows as a fault of memory access, which says nothing to those who can help. */
  private static String why(LogDirectory directory, Throwable failure) {
    if (failure instanceof IOException) {
      return whyNoFile(directory, failure);
    }
    if (!(failure instanceof InternalError)) {
      return failure.toString();
    }
    return ("%s. That is how a full or failing disk shows in mapped memory: %,d bytes are free on"
            + " its file system. Make room if that is too little, and open the directory again.")
        .formatted(failure, directory.usableBytes());
  }

  /**
   * Stops in time before the disk is full: pages that find no room are lost without a word, and the
   * fault of memory access that tells of them may come when a reply has left already.
   */
  private void requireSpace(long sequence, int recordBytes) {
    uncheckedBytes += recordBytes;
    if (uncheckedBytes < SPACE_CHECK_BYTES) {
      return;
    }
    uncheckedBytes = 0;
    long usable = directory.usableBytes();
    if (usable - recordBytes < config.reserveBytes()) {
      String message =
          ("Record %d was not appended to %s: %,d bytes are free on its file system, and %,d are kept"
                  + " in reserve. Make room, then open the directory again.")
              .formatted(sequence, run, usable, config.reserveBytes());
      throw progress.fail(LogException.fatal(message, null));
    }
  }

  private boolean fits(int recordBytes) {
    return position == SegmentLayout.FIRST_RECORD_OFFSET
        || position + recordBytes + RunQueue.END_BYTES <= config.segmentBytes();
  }

  private void write(
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    try (DocumentContext document = appender.writingDocument()) {
      boolean isWritten = false;
      try {
        Bytes<?> bytes = document.wire().bytes();
        requirePosition(bytes.writePosition());
        if (config.isForcedOften() && position == SegmentLayout.FIRST_RECORD_OFFSET) {
          SegmentPages.useSingly(bytes.addressForWrite(0), config.segmentBytes());
        }
        target.wrap(bytes.addressForWrite(position), RecordFrame.HEADER_BYTES + length);
        int written =
            frame.write(
                target,
                0,
                type,
                sequence,
                progress.forcedSequence(),
                logTimeMs,
                logTag,
                payloadCrc,
                payload,
                offset,
                length);
        bytes.writeSkip(written);
        isWritten = true;
      } finally {
        if (!isWritten) {
          document.rollbackOnClose();
        }
      }
    }
  }

  /** Where the scanner will look for the record is where it must be written. */
  private void requirePosition(long actual) {
    if (actual != position) {
      throw new IllegalStateException(
          "Chronicle Queue puts the record at "
              + actual
              + " where "
              + position
              + " is expected; this build does not read that layout");
    }
  }

  @Override
  public void force() {
    forcing.lock();
    try {
      progress.requireUsable();
      // Bytes first: what is appended in between is then counted as not yet forced.
      long bytes = progress.appendedBytes();
      long sequence = progress.appendedSequence();
      if (sequence == progress.forcedSequence()) {
        return;
      }
      forceChain();
      progress.onForced(sequence, bytes);
    } finally {
      forcing.unlock();
    }
  }

  private void forceChain() {
    try {
      chain.force();
    } catch (IOException | RuntimeException e) {
      throw progress.fail(LogException.fatal("Forcing %s failed: %s".formatted(run, e), e));
    }
  }

  @Override
  public void close() {
    // What a failure has left behind the last record may tell what happened.
    boolean isSound = progress.isUsable() && segment != null;
    super.close();
    boolean isForced = isSound && forcedSequence() == appendedSequence();
    AutoCloseable marking = isForced ? this::markClosed : null;
    AutoCloseable trimming = isSound ? () -> directory.trim(segment, position) : null;
    AutoCloseable removal = isUsed ? null : () -> directory.removeRun(run);
    isUsed = true;
    CloseHelper.closeAll(appender, queue, chain, trimming, marking, removal);
  }

  private void markClosed() {
    directory.markClosed(run, appendedSequence(), logTag, config.forcer());
  }
}
