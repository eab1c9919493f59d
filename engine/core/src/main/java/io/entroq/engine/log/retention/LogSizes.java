package io.entroq.engine.log.retention;

import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.scan.FirstRecordReader;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many bytes the parts of a log have, by whole segments, as of its creation. Reads the first
 * record of each segment.
 */
public final class LogSizes {
  /** The bytes of segments by their first record. */
  private final TreeMap<Long, Long> bytes = new TreeMap<>();

  /**
   * @throws io.entroq.engine.log.LogException if a file cannot be read
   */
  public LogSizes(LogDirectory directory) {
    FirstRecordReader reader = new FirstRecordReader();
    long last = 0;
    for (LogRun run : directory.runs()) {
      for (LogSegment segment : run.segments()) {
        long sequence = reader.sequenceOf(segment);
        // One without a good record counts with the segment before.
        last = sequence == 0 ? last : sequence;
        bytes.merge(last, LogRetention.length(segment), Long::sum);
      }
    }
  }

  /** Whether the log has its first record. */
  public boolean hasFirstRecord() {
    return bytes.containsKey(1L);
  }

  /**
   * The bytes of log that are needed from one snapshot on, but not from a later one.
   *
   * @param from sequence of a snapshot; 0: the beginning of the log
   * @param to sequence of a later one
   */
  public long between(long from, long to) {
    return from(from) - from(to);
  }

  /** The segment with the next record, and all later ones. */
  private long from(long snapshot) {
    Map.Entry<Long, Long> first = bytes.floorEntry(snapshot + 1);
    long sum = 0;
    for (long each : bytes.tailMap(first == null ? 0 : first.getKey()).values()) {
      sum += each;
    }
    return sum;
  }
}
