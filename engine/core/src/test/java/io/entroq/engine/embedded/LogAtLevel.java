package io.entroq.engine.embedded;

import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.command.RaiseLevelEncoder;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.chronicle.ChronicleLog;
import java.nio.file.Path;
import org.agrona.ExpandableArrayBuffer;

/** Logs as builds of other levels begin them. */
final class LogAtLevel {
  private static final int LOG_TAG = 4711;

  private LogAtLevel() {}

  /** A log with nothing but its first record. */
  static void begin(Path directory, int level) {
    ExpandableArrayBuffer genesis = new ExpandableArrayBuffer();
    int length =
        new GenesisEncoder()
            .wrap(genesis, 0)
            .logIdHigh(1)
            .logIdLow(LOG_TAG)
            .seed(7)
            .level(level)
            .length();
    append(directory, RecordType.GENESIS, 1, genesis, length);
  }

  /** Raises the level of a log that holds nothing but its first record. */
  static void raise(Path directory, int level) {
    ExpandableArrayBuffer raise = new ExpandableArrayBuffer();
    int length = new RaiseLevelEncoder().wrap(raise, 0).level(level).length();
    append(directory, RecordType.RAISE_LEVEL, 2, raise, length);
  }

  private static void append(
      Path directory, int type, long sequence, ExpandableArrayBuffer payload, int length) {
    int crc = new Crc32c().of(payload, 0, length);
    long timeMs = TestEntroQ.START.toEpochMilli();
    try (LogDirectory locked = LogDirectory.open(directory);
        CommandLog log =
            ChronicleLog.open(locked, LogConfig.defaults(), LOG_TAG, sequence - 1, sequence - 1)) {
      log.append(type, sequence, timeMs, crc, payload, 0, length);
      log.force();
    }
  }
}
