package io.entroq.simulator.replica;

import io.entroq.engine.log.AbstractCommandLog;
import io.entroq.engine.log.LogProgress;
import org.agrona.DirectBuffer;

/** Where a member's records go: they are looked at, and none is kept. */
final class RecordLog extends AbstractCommandLog {
  private final Listener listener;

  /** Looks at records. */
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
   * @param sequence of the record that the next one is behind
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
    // There is nothing that could be forced.
  }
}
