package io.entroq.engine.log;

import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.Closing;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The log on disk: manages sequences, segments and forces on top of a {@link RunAppender}, and
 * forces the files through its own channels.
 *
 * <p>An appended record survives the death of the process. Only a forced record survives a power
 * failure.
 */
public final class SegmentedLog extends AbstractCommandLog {
  private static final long SPACE_CHECK_BYTES = 1 << 20;

  private final LogConfig config;
  private final FaultHook faults;
  private final int logTag;
  private final RecordFrame frame = new RecordFrame();
  private final RunAppender appender;
  private final UnforcedSegments chain;
  private final LogDirectory directory;
  private final Path run;
  private final ReentrantLock forcing = new ReentrantLock();

  /** The newest segment; null before the first record. */
  private Path segment;

  private long position = SegmentLayout.FIRST_RECORD_OFFSET;

  /** Whether the run may contain records. */
  private boolean isUsed;

  /** Appended since the last check of the free space; starts so that the first record checks it. */
  private long uncheckedBytes = SPACE_CHECK_BYTES;

  private SegmentedLog(
      LogDirectory directory,
      Path run,
      RunAppender appender,
      LogConfig config,
      FaultHook faults,
      int logTag,
      LogProgress progress) {
    super(progress);
    this.directory = directory;
    this.run = run;
    this.appender = appender;
    this.config = config;
    this.faults = faults;
    this.logTag = logTag;
    this.chain = new UnforcedSegments(directory, config.forcer());
  }

  /**
   * Opens the log for appending, in a new run.
   *
   * @param runs creates the writer of the run
   * @param logTag tag of the log, from its first record
   * @param lastSequence the last sequence in the log; 0 if it is empty
   * @param forcedSequence the last sequence known to be on the disk
   * @throws LogException if the run cannot be created
   */
  public static SegmentedLog open(
      LogDirectory directory,
      RunFactory runs,
      LogConfig config,
      FaultHook faults,
      int logTag,
      long lastSequence,
      long forcedSequence) {
    LogProgress progress = new LogProgress(lastSequence, forcedSequence);
    Path run = directory.newRun(lastSequence + 1);
    try {
      return new SegmentedLog(
          directory, run, runs.open(run, config), config, faults, logTag, progress);
    } catch (Exception | InternalError e) {
      String why = runs.explain(run, e);
      directory.removeRun(run);
      throw LogException.fatal("Cannot open the log in %s: %s".formatted(run, why), e);
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
      faults.reached(FaultPoint.AFTER_CLOSED_MARK_REMOVED);
    }
    long end = position;
    try {
      if (!fits(recordBytes)) {
        appender.roll();
        position = SegmentLayout.FIRST_RECORD_OFFSET;
      }
      write(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
      if (position == SegmentLayout.FIRST_RECORD_OFFSET) {
        onNewSegment(end);
      }
    } catch (Throwable e) {
      // Appenders also throw undeclared exceptions, for example if a segment cannot be created.
      throw progress.fail(
          LogException.fatal(
              "Appending record %d to %s failed: %s".formatted(sequence, run, appender.explain(e)),
              e));
    }
    position = SegmentLayout.next(position, recordBytes);
    progress.onAppended(sequence, recordBytes);
  }

  /** The new run's name says as much as the mark; only a cut would contradict the mark. */
  private void removeMark() {
    try {
      directory.removeClosedMark(config.forcer());
    } catch (IOException e) {
      throw progress.fail(
          LogException.fatal(
              "Cannot remove %s, the mark of where the log was closed: %s"
                  .formatted(
                      CleanCloseMarker.fileIn(directory.directory()), FileErrors.describe(e)),
              e));
    }
  }

  /**
   * @param end where the previous segment ends
   */
  private void onNewSegment(long end) {
    Path previous = segment;
    segment = appender.file();
    // Linked before the sequence is published, so that a force that covers it finds the file.
    chain.add(segment);
    faults.reached(FaultPoint.AFTER_ROLL);
    if (previous != null) {
      directory.trim(previous, end);
    }
  }

  /**
   * Fails before the disk is full. Mapped pages that find no space are lost silently, and the
   * memory fault that reports it may come after a reply was sent.
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
                  + " in reserve. Free some space, then open the directory again.")
              .formatted(sequence, run, usable, config.reserveBytes());
      throw progress.fail(LogException.fatal(message, null));
    }
  }

  private boolean fits(int recordBytes) {
    return position == SegmentLayout.FIRST_RECORD_OFFSET
        || position + recordBytes + SegmentLayout.END_BYTES <= config.segmentBytes();
  }

  private void write(
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    MutableDirectBuffer target = appender.open(position, RecordFrame.HEADER_BYTES + length);
    boolean isWritten = false;
    try {
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
      isWritten = true;
    } finally {
      if (!isWritten) {
        appender.rollback();
      }
    }
    appender.commit();
  }

  @Override
  public void force() {
    forcing.lock();
    try {
      progress.requireUsable();
      // Read the bytes first, so that records appended in between do not count as forced.
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
    } catch (Throwable e) {
      throw progress.fail(LogException.fatal("Forcing %s failed: %s".formatted(run, e), e));
    }
  }

  @Override
  public void close() {
    // After a failure, the bytes after the last record are kept as evidence.
    boolean isSound = progress.isUsable() && segment != null;
    super.close();
    boolean isForced = isSound && forcedSequence() == appendedSequence();
    AutoCloseable marking = isForced ? this::markClosed : null;
    AutoCloseable trimming = isSound ? () -> directory.trim(segment, position) : null;
    AutoCloseable removal = isUsed ? null : () -> directory.removeRun(run);
    isUsed = true;
    Closing.all(appender, chain, trimming, marking, removal);
  }

  @Override
  public void abandon() {
    progress.fail(LogException.error("abandoned"));
    isUsed = true;
    close();
  }

  private void markClosed() {
    faults.reached(FaultPoint.BEFORE_CLOSED_MARK);
    directory.markClosed(run, appendedSequence(), logTag, config.forcer());
  }
}
