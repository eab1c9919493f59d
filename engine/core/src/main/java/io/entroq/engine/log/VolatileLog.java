package io.entroq.engine.log;

import io.entroq.codec.record.RecordFrame;
import org.agrona.DirectBuffer;

/**
 * The log of an engine that lives in memory: keeps only counters. Appended records count as forced
 * at once.
 */
public final class VolatileLog extends AbstractCommandLog {
  private final int payloadBytesMax;

  public VolatileLog(LogConfig config) {
    this(config, 0);
  }

  /** Starts after a record that is stored elsewhere. */
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
    // Nothing to force.
  }
}
