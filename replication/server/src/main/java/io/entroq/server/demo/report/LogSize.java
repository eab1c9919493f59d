package io.entroq.server.demo.report;

import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a log holds. Its files say less: they are made larger than what is in them.
 *
 * @param records how many records
 * @param bytes how large they are together
 */
public record LogSize(long records, long bytes) {
  /**
   * Reads a log from its first record to its last, and checks them all.
   *
   * @param directory a data directory
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
