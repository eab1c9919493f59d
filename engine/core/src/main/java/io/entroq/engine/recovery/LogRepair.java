package io.entroq.engine.recovery;

import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.log.scan.TornTail;
import java.nio.file.Path;
import org.agrona.ExpandableArrayBuffer;

/**
 * The operator's word on a damaged log: it ends here. Nothing is altered or deleted; a new run says
 * that what lies behind the cut does not count.
 */
public final class LogRepair {
  private final LogDirectory directory;
  private final LogConfig config;

  public LogRepair(LogDirectory directory, LogConfig config) {
    this.directory = directory;
    this.config = config;
  }

  /**
   * Gives up the record with this sequence and all behind it, on the disk when this returns.
   *
   * @param sequence from 2 to the one after the last good record
   * @return what is found in the log before the cut
   * @throws LogException if the log has no good records up to there
   */
  public ScanReport cutAt(long sequence) {
    long[] logTimeMs = new long[1];
    ScanReport report =
        new LogScanner(directory, HolePolicy.REFUSE)
            .scan(
                (type, at, timeMs, payloadCrc, payload, offset, length) -> {
                  if (at < sequence) {
                    logTimeMs[0] = timeMs;
                  }
                });
    if (sequence < 2 || sequence > report.lastSequence() + 1) {
      throw LogException.error(
          "Cannot cut the log in %s at %d: its good records are 1 to %d; allowed is 2 to %d"
              .formatted(
                  directory.directory(),
                  sequence,
                  report.lastSequence(),
                  report.lastSequence() + 1));
    }
    append(sequence, logTimeMs[0], report);
    return report;
  }

  private void append(long sequence, long logTimeMs, ScanReport report) {
    ExpandableArrayBuffer payload = new ExpandableArrayBuffer();
    int length = cut(sequence, report).encodeCut(payload, 0);
    int crc = new Crc32c().of(payload, 0, length);
    try (CommandLog log = ChronicleLog.open(directory, config, report.logTag(), sequence - 1, 0)) {
      log.append(RecordType.CUT, sequence, logTimeMs, crc, payload, 0, length);
      log.force();
    }
  }

  private static TornTail cut(long sequence, ScanReport report) {
    String why = "cut by the operator";
    boolean isAtTheEnd = sequence == report.lastSequence() + 1;
    Path file = report.endFile();
    // The place of a good record is not kept: then the cut names only the sequence.
    return isAtTheEnd
        ? new TornTail(sequence - 1, file, report.endOffset(), 0, why)
        : new TornTail(sequence - 1, null, 0, 0, why);
  }
}
