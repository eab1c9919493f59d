package io.entroq.cluster.mirror;

import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.AbstractCommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogProgress;
import io.entroq.engine.log.RecordHandler;
import org.agrona.DirectBuffer;

/**
 * A log that stores nothing, and passes each record to a handler before it is applied. Applying
 * thread.
 */
final class NotifyingLog extends AbstractCommandLog {
  private static final int PAYLOAD_BYTES_MAX = LogConfig.PAYLOAD_BYTES_MAX_DEFAULT;

  private final RecordHandler handler;

  /**
   * @param sequence of the last record so far
   */
  NotifyingLog(long sequence, RecordHandler handler) {
    super(new LogProgress(sequence, sequence));
    this.handler = handler;
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
    handler.onRecord(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
    progress.onAppended(sequence, RecordFrame.HEADER_BYTES + length);
    progress.onForced(sequence, progress.appendedBytes());
  }

  @Override
  public void force() {
    // The cluster's log is the durable one.
  }
}
