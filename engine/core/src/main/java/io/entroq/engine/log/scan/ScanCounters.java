package io.entroq.engine.log.scan;

import io.entroq.codec.record.RecordFrame;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts what a scan has read. One thread. */
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

  /** How many records were given out. */
  long records() {
    return records;
  }

  /** A record was given out. */
  void given(RecordFrame frame) {
    if (records == 0) {
      firstSequence = frame.sequence();
    }
    records++;
    lastSequence = frame.sequence();
    lastLogTimeMs = frame.logTimeMs();
  }

  /** The last record that was given out, 0 if none was. */
  long lastSequence() {
    return lastSequence;
  }

  /** The log time of that record. */
  long lastLogTimeMs() {
    return lastLogTimeMs;
  }

  /** A record was read, given out or not. */
  void read(RecordFrame frame) {
    forcedSequence = Math.max(forcedSequence, frame.forcedSequence());
  }

  /** A segment was read, of which this is the last record. */
  void readSegment(Path file, long lastSequence) {
    read.put(file, lastSequence);
  }

  /** A segment ends cleanly and is longer than what stands in it. */
  void loose(Path file, long endOffset) {
    loose.put(file, endOffset);
  }

  /** There are bytes between good records that matter to nobody. */
  void stray(long bytes) {
    strayBytes += bytes;
  }

  /** Something is wrong that nothing depends on. */
  void warn(LogWarning warning) {
    warnings.add(warning);
  }

  /**
   * All of it.
   *
   * @param chain how far it has come
   * @param endFile the segment in which the log ends, null if there is none
   * @param endOffset where in it
   * @param verdict on the end
   */
  ScanReport report(RecordValidator chain, Path endFile, int endOffset, EndClassifier verdict) {
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
        chain.due() - 1,
        chain.lastLogTimeMs(),
        forcedSequence,
        chain.logTag() == null ? 0 : chain.logTag(),
        read.size(),
        endFile,
        endOffset,
        strayBytes,
        unforced,
        loose,
        List.copyOf(warnings),
        verdict.tornTail(),
        verdict.damage());
  }
}
