package io.entroq.perf.jmh.record;

import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.chronicle.ChronicleLog;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;

/** The log of the engine. The checksum of the payload is given, as the engine gives it. */
final class LogTarget implements RecordTarget {
  private static final int PAYLOAD_BYTES = RECORD_BYTES - RecordFrame.HEADER_BYTES;
  private static final int LOG_TAG = 0x1234_5678;
  private static final long LOG_TIME_MS = 1_700_000_000_000L;

  private final UnsafeBuffer payload = new UnsafeBuffer(new byte[PAYLOAD_BYTES]);
  private final int payloadCrc;
  private final LogDirectory directory;
  private final CommandLog log;
  private long sequence;

  LogTarget(Path path) {
    payload.setMemory(0, PAYLOAD_BYTES, (byte) 0x5A);
    payloadCrc = new Crc32c().of(payload, 0, PAYLOAD_BYTES);
    directory = LogDirectory.open(path);
    log =
        ChronicleLog.open(
            directory, LogConfig.defaults().withSegmentBytes(SEGMENT_BYTES), LOG_TAG, 0, 0);
  }

  @Override
  public void append() {
    // Readers require this to be the first record.
    int type = sequence == 0 ? RecordType.GENESIS : RecordType.MODIFY;
    log.append(type, ++sequence, LOG_TIME_MS, payloadCrc, payload, 0, PAYLOAD_BYTES);
  }

  @Override
  public void force() {
    log.force();
  }

  @Override
  public void close() {
    log.close();
    directory.close();
  }
}
