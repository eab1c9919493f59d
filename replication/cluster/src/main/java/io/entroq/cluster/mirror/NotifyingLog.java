package io.entroq.cluster.mirror;

import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.AbstractCommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogProgress;
import io.entroq.engine.log.RecordHandler;
import org.agrona.DirectBuffer;

/**
 * The log as the state machine's engine knows it: it counts, and tells somebody of each record
 * before that is applied. Applying thread.
 */
final class NotifyingLog extends AbstractCommandLog {
  private static final int PAYLOAD_BYTES_MAX = LogConfig.PAYLOAD_BYTES_MAX_DEFAULT;

  private final RecordHandler told;

  /**
   * @param sequence of the last record before
   */
  NotifyingLog(long sequence, RecordHandler told) {
    super(new LogProgress(sequence, sequence));
    this.told = told;
  }

  @Override
  public void append(
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    progress.requireAppendable(sequence, length, PAYLOAD_BYTES_MAX);
    told.onRecord(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
    progress.onAppended(sequence, RecordFrame.HEADER_BYTES + length);
    progress.onForced(sequence, progress.appendedBytes());
  }

  @Override
  public void force() {
    // What has to last is in the log of the cluster.
  }
}
