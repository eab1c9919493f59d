package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFrame;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts what a scan has read. Not thread-safe. */
final class ScanCounters {
  private final Map<Path, Long> read = new LinkedHashMap<>();
  private final Map<Path, Long> loose = new LinkedHashMap<>();
  private final Set<LogWarning> warnings = new LinkedHashSet<>();
  private long records;
  private long firstSequence;
  private long lastSequence;
  private long lastLogTimeMs;
  private long forcedSequence;
  private long strayBytes;

  /** Number of delivered records. */
  long records() {
    return records;
  }

  /** Counts a delivered record. */
  void given(RecordFrame frame) {
    if (records == 0) {
      firstSequence = frame.sequence();
    }
    records++;
    lastSequence = frame.sequence();
    lastLogTimeMs = frame.logTimeMs();
  }

  /** The last delivered record; 0 if there is none. */
  long lastSequence() {
    return lastSequence;
  }

  /** The log time of that record. */
  long lastLogTimeMs() {
    return lastLogTimeMs;
  }

  /** Counts a record that was read, delivered or not. */
  void read(RecordFrame frame) {
    forcedSequence = Math.max(forcedSequence, frame.forcedSequence());
  }

  /** Counts a segment with its last record. */
  void readSegment(Path file, long lastSequence) {
    read.put(file, lastSequence);
  }

  /** Notes a segment that ends cleanly before the end of its file. */
  void loose(Path file, long endOffset) {
    loose.put(file, endOffset);
  }

  /** Counts ignorable bytes between good records. */
  void stray(long bytes) {
    strayBytes += bytes;
  }

  void warn(LogWarning warning) {
    warnings.add(warning);
  }

  /**
   * Builds the report.
   *
   * @param endFile the segment in which the log ends; null if there is none
   * @param endOffset the offset in it
   */
  ScanReport report(
      RecordValidator validator, Path endFile, int endOffset, EndClassifier classifier) {
    List<Path> unforced = new ArrayList<>();
    read.forEach(
        (file, lastSequence) -> {
          if (lastSequence > forcedSequence) {
            unforced.add(file);
          }
        });
    return new ScanReport(
        records,
        firstSequence,
        validator.due() - 1,
        validator.lastLogTimeMs(),
        forcedSequence,
        validator.logTag() == null ? 0 : validator.logTag(),
        read.size(),
        endFile,
        endOffset,
        strayBytes,
        unforced,
        loose,
        List.copyOf(warnings),
        classifier.tornTail(),
        classifier.damage());
  }
}
