package io.entroq.engine.log;

import io.entroq.codec.record.RecordFrame;
import org.agrona.DirectBuffer;

/**
 * Keeps nothing and counts: the log of an engine that lives in memory alone. What is appended
 * counts as forced at once, since nothing more will ever be done for it.
 */
public final class VolatileLog implements CommandLog {
  private final int payloadBytesMax;
  private final LogProgress progress = new LogProgress(0, 0);

  public VolatileLog(LogConfig config) {
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
  }

  @Override
  public long appendedSequence() {
    return progress.appendedSequence();
  }

  @Override
  public long appendedBytes() {
    return progress.appendedBytes();
  }

  @Override
  public void force() {
    // There is nothing that could be forced.
  }

  @Override
  public long forcedSequence() {
    return progress.appendedSequence();
  }

  @Override
  public long forcedBytes() {
    return progress.appendedBytes();
  }

  @Override
  public void close() {
    progress.fail(LogException.error("closed"));
  }
}
