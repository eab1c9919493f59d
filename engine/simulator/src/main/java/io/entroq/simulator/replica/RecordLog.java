package io.entroq.simulator.replica;

import io.entroq.engine.log.AbstractCommandLog;
import io.entroq.engine.log.LogProgress;
import org.agrona.DirectBuffer;

/** The log of a member's engine: passes records on and keeps none. */
final class RecordLog extends AbstractCommandLog {
  private final Listener listener;

  /** Receives records. */
  @FunctionalInterface
  interface Listener {
    void onRecord(
        int type,
        long sequence,
        long timeMs,
        int crc,
        DirectBuffer payload,
        int offset,
        int length);
  }

  /**
   * @param sequence of the record before the next one
   */
  RecordLog(Listener listener, long sequence) {
    super(new LogProgress(sequence, sequence));
    this.listener = listener;
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
    progress.requireAppendable(sequence, length, Integer.MAX_VALUE);
    listener.onRecord(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
    progress.onAppended(sequence, length);
    progress.onForced(sequence, progress.appendedBytes());
  }

  @Override
  public void force() {
    // Nothing to force.
  }
}
