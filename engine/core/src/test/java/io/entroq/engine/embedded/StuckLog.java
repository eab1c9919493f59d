package io.entroq.engine.embedded;

import io.entroq.engine.log.CommandLog;
import org.agrona.DirectBuffer;

/** A log that works and cannot be closed. */
final class StuckLog implements CommandLog {
  private final CommandLog log;

  StuckLog(CommandLog log) {
    this.log = log;
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
    log.append(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
  }

  @Override
  public long appendedSequence() {
    return log.appendedSequence();
  }

  @Override
  public long appendedBytes() {
    return log.appendedBytes();
  }

  @Override
  public void force() {
    log.force();
  }

  @Override
  public long forcedSequence() {
    return log.forcedSequence();
  }

  @Override
  public long forcedBytes() {
    return log.forcedBytes();
  }

  @Override
  public void close() {
    throw new IllegalStateException("stuck drawer");
  }
}
