package io.entroq.engine.log;

import io.entroq.codec.record.RecordFrame;
import org.agrona.DirectBuffer;

/**
 * Keeps nothing and counts: the log of an engine that lives in memory alone. What is appended
 * counts as forced at once, since nothing more will ever be done for it.
 */
public final class VolatileLog extends AbstractCommandLog {
  private final int payloadBytesMax;

  public VolatileLog(LogConfig config) {
    this(config, 0);
  }

  /** The same behind a record that is elsewhere. */
  public VolatileLog(LogConfig config, long sequence) {
    super(new LogProgress(sequence, sequence));
    this.payloadBytesMax = config.payloadBytesMax();
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
    progress.requireAppendable(sequence, length, payloadBytesMax);
    progress.onAppended(sequence, RecordFrame.HEADER_BYTES + length);
    progress.onForced(sequence, progress.appendedBytes());
  }

  @Override
  public void force() {
    // There is nothing that could be forced.
  }
}
