package io.entroq.tools.log;

import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.retention.LogHold;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.recovery.RecoveryPreview;
import io.entroq.tools.terminal.Terminal;
import io.entroq.tools.terminal.WaitBar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.agrona.DirectBuffer;

/**
 * Reads a log from beginning to end, with a progress bar. A running engine removes nothing until
 * this is closed.
 */
public final class LogReading implements AutoCloseable {
  private final LogDirectory log;
  private final HolePolicy policy;
  private final LogHold hold;

  /**
   * @param directory a data directory
   * @param policy how to treat a hole in the log
   * @param tool name of the tool that reads
   * @throws LogException if the directory has no log
   */
  public LogReading(Path directory, HolePolicy policy, String tool) {
    this.log = LogDirectory.read(directory);
    this.policy = policy;
    this.hold = LogHold.of(log, tool);
  }

  Path directory() {
    return log.directory();
  }

  LogDirectory log() {
    return log;
  }

  /**
   * Passes every good record to the handler.
   *
   * @return null if the handler ended the scan
   */
  ScanReport read(RecordHandler handler) {
    return read(handler, false, Terminal.isErrorAttached());
  }

  /** As {@link #read}, for a handler that prints to standard output. */
  ScanReport readPrinting(RecordHandler handler) {
    return read(handler, false, Terminal.isErrorAttached() && !Terminal.isOutputAttached());
  }

  private ScanReport read(RecordHandler handler, boolean isLoaded, boolean isWatched) {
    try {
      return advised(scan(handler, isWatched), isLoaded);
    } catch (ScanEndedException e) {
      return null;
    }
  }

  private ScanReport scan(RecordHandler handler, boolean isWatched) {
    try (WaitBar progress = WaitBar.ofBytes("reading", segmentBytes(log), isWatched)) {
      return new LogScanner(log, policy).scan(new Watched(handler, hold, progress));
    }
  }

  /** Adjusts advice to an engine, which reads less because it starts from a snapshot. */
  private ScanReport advised(ScanReport report, boolean isLoaded) {
    return report.isDamaged() ? advised(report, start(isLoaded)) : report;
  }

  /** As {@link #read}, if the recovery preview is known. */
  ScanReport read(RecordHandler handler, RecoveryPreview start) {
    ScanReport report = scan(handler, Terminal.isErrorAttached());
    return report.isDamaged() ? advised(report, start) : report;
  }

  private static ScanReport advised(ScanReport report, RecoveryPreview start) {
    return report.withDamage(start.advise(report.damage()));
  }

  /**
   * What an engine would do that opens the directory.
   *
   * @param isLoaded whether to load the state, which takes memory
   */
  RecoveryPreview start(boolean isLoaded) {
    return RecoveryPreview.find(log, policy, isLoaded);
  }

  @Override
  public void close() {
    hold.close();
  }

  /** Total length of the segment files. */
  static long segmentBytes(LogDirectory log) {
    long bytes = 0;
    for (LogRun run : log.runs()) {
      for (LogSegment segment : run.segments()) {
        bytes += size(segment.file());
      }
    }
    return bytes;
  }

  /** Length of a file; 0 if it no longer exists. */
  static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw LogException.error("Cannot read %s: %s".formatted(file, FileErrors.describe(e)), e);
    }
  }

  private static final class Watched implements RecordHandler {
    private final RecordHandler handler;
    private final LogHold hold;
    private final WaitBar progress;
    private long before;
    private long segment;
    private long last;

    Watched(RecordHandler handler, LogHold hold, WaitBar progress) {
      this.handler = handler;
      this.hold = hold;
      this.progress = progress;
    }

    @Override
    public void onSegment(Path file) {
      before += segment;
      segment = size(file);
      // Keep the last delivered record: a repeated scan starts from it.
      hold.advance(last);
      handler.onSegment(file);
    }

    @Override
    public void onRecord(
        int type,
        long sequence,
        long logTimeMs,
        int payloadCrc,
        DirectBuffer payload,
        int offset,
        int length) {
      handler.onRecord(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
      last = sequence;
      progress.at(before + offset);
    }
  }
}
