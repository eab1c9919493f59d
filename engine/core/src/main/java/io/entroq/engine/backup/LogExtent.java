package io.entroq.engine.backup;

import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.snapshot.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * The segments to copy of a log, and how many bytes of each: up to the end of the last good record,
 * without what an engine writes meanwhile.
 */
final class LogExtent {
  /** Bytes to copy by file; 0 for files without delivered records. */
  private final Map<Path, Long> ends = new LinkedHashMap<>();

  private final long sequenceMax;
  private final ScanReport report;

  private LogExtent(LogDirectory log, HolePolicy policy, Manifest snapshot, long sequenceMax) {
    this.sequenceMax = sequenceMax;
    LogScanner scanner = new LogScanner(log, policy);
    Collector collector = new Collector();
    report =
        snapshot == null
            ? scanner.scanAfter(0, 0, 0, collector)
            : scanner.scanAfter(
                snapshot.sequence(), snapshot.logTag(), snapshot.logTimeMs(), collector);
  }

  /**
   * Reads the log after a snapshot.
   *
   * @param snapshot null to read from the beginning
   * @throws io.entroq.engine.log.LogDamagedException if the log is damaged
   * @throws LogException if it cannot be read or is empty
   */
  static LogExtent of(LogDirectory log, HolePolicy policy, Manifest snapshot) {
    return upTo(Long.MAX_VALUE, log, policy, snapshot);
  }

  /** As {@link #of}, without records above {@code sequenceMax}. */
  static LogExtent upTo(long sequenceMax, LogDirectory log, HolePolicy policy, Manifest snapshot) {
    LogExtent extent = new LogExtent(log, policy, snapshot, sequenceMax);
    if (extent.report.requireUndamaged().lastSequence() == 0) {
      throw LogException.error(
          "The log in %s is empty: there is nothing to back up."
              .formatted(log.directory().toAbsolutePath()));
    }
    return extent;
  }

  /** The last record. */
  long lastSequence() {
    return Math.min(report.lastSequence(), sequenceMax);
  }

  /** Whether the log ends there. */
  boolean endsThere() {
    return report.lastSequence() <= sequenceMax;
  }

  /** The files in order, with the number of bytes to copy. */
  Map<Path, Long> bytesByFile() throws IOException {
    Map<Path, Long> files = new LinkedHashMap<>();
    for (Map.Entry<Path, Long> segment : ends.entrySet()) {
      Path file = segment.getKey();
      if (segment.getValue() != 0) {
        files.put(file, segment.getValue());
      } else if (files.isEmpty()) {
        // It contains the snapshot's last record and none after it.
        boolean isEnd = file.equals(report.endFile());
        long end = report.endOffset() - SegmentLayout.WORD_BYTES;
        files.put(file, isEnd ? end : Files.size(file));
      }
    }
    return files;
  }

  private final class Collector implements RecordHandler {
    private Path file;

    @Override
    public void onSegment(Path next) {
      file = next;
      ends.putIfAbsent(next, 0L);
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
      if (sequence <= sequenceMax) {
        ends.put(file, (long) offset + length);
      }
    }
  }
}
