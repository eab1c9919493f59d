package io.entroq.server.demo.report;

import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The size of a log's contents. Its files are larger, as they are preallocated.
 *
 * @param bytes the total size of the records, with headers
 */
public record LogSize(long records, long bytes) {
  /**
   * Reads and checks every record of the log in a data directory.
   *
   * @throws io.entroq.engine.log.LogException if the log is damaged or cannot be read
   */
  public static LogSize of(Path directory) {
    AtomicLong bytes = new AtomicLong();
    LogScanner scanner = new LogScanner(LogDirectory.read(directory), HolePolicy.REFUSE);
    long records =
        scanner
            .scan(
                (type, sequence, logTimeMs, payloadCrc, payload, offset, length) ->
                    bytes.addAndGet(RecordFrame.HEADER_BYTES + length))
            .requireUndamaged()
            .records();
    return new LogSize(records, bytes.get());
  }
}
