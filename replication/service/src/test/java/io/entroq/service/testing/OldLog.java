package io.entroq.service.testing;

import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.chronicle.ChronicleLog;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/** Makes logs of behaviour levels that this build does not begin with any more. */
public final class OldLog {
  private static final int LOG_TAG = 4711;
  private static final long BEGUN_MS = 1_700_000_000_000L;

  private OldLog() {}

  /** Begins the log of a directory at a level. */
  public static void begin(Path directory, int level) {
    ExpandableArrayBuffer payload = new ExpandableArrayBuffer();
    int length =
        new GenesisEncoder()
            .wrap(payload, 0)
            .logIdHigh(1)
            .logIdLow(LOG_TAG)
            .seed(7)
            .level(level)
            .length();
    append(directory, RecordType.GENESIS, 1, payload, length);
  }

  /** Adds a record to it. */
  public static void append(
      Path directory, int type, long sequence, DirectBuffer payload, int length) {
    try (LogDirectory locked = LogDirectory.open(directory);
        CommandLog log =
            ChronicleLog.open(locked, LogConfig.defaults(), LOG_TAG, sequence - 1, sequence - 1)) {
      int crc = new Crc32c().of(payload, 0, length);
      log.append(type, sequence, BEGUN_MS, crc, payload, 0, length);
      log.force();
    }
  }
}
