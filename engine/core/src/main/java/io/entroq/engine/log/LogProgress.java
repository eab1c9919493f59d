package io.entroq.engine.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How far a log has been appended and forced, and whether it has failed. The appending and the
 * forcing thread publish it to all others.
 */
public final class LogProgress {
  private static final VarHandle APPENDED_SEQUENCE = handle("appendedSequence", long.class);
  private static final VarHandle APPENDED_BYTES = handle("appendedBytes", long.class);
  private static final VarHandle FORCED_SEQUENCE = handle("forcedSequence", long.class);
  private static final VarHandle FORCED_BYTES = handle("forcedBytes", long.class);

  @SuppressWarnings("unused")
  private long appendedSequence;

  @SuppressWarnings("unused")
  private long appendedBytes;

  @SuppressWarnings("unused")
  private long forcedSequence;

  @SuppressWarnings("unused")
  private long forcedBytes;

  private volatile LogException failure;

  /**
   * Starts from an existing log.
   *
   * @param appended the last sequence in the log; 0 if it is empty
   * @param forced the last sequence known to be on the disk, at most {@code appended}
   */
  public LogProgress(long appended, long forced) {
    if (forced < 0 || forced > appended) {
      throw new IllegalArgumentException("forced " + forced + " of " + appended + " records");
    }
    APPENDED_SEQUENCE.setRelease(this, appended);
    FORCED_SEQUENCE.setRelease(this, forced);
  }

  /** Throws if the next record may not have this sequence and length, or the log has failed. */
  public void requireAppendable(long sequence, int length, int lengthMax) {
    requireUsable();
    long expected = (long) APPENDED_SEQUENCE.get(this) + 1;
    if (sequence != expected) {
      throw new IllegalArgumentException("sequence is " + sequence + ", the next is " + expected);
    }
    if (length > lengthMax) {
      throw new IllegalArgumentException(
          "payload of " + length + " bytes, the limit is " + lengthMax);
    }
  }

  /** Called by the appending thread after a record was written. */
  public void onAppended(long sequence, int bytes) {
    APPENDED_BYTES.setRelease(this, (long) APPENDED_BYTES.get(this) + bytes);
    APPENDED_SEQUENCE.setRelease(this, sequence);
  }

  /** Called by the forcing thread: everything up to here is on the disk. */
  public void onForced(long sequence, long bytes) {
    FORCED_BYTES.setRelease(this, bytes);
    FORCED_SEQUENCE.setRelease(this, sequence);
  }

  public long appendedSequence() {
    return (long) APPENDED_SEQUENCE.getAcquire(this);
  }

  public long appendedBytes() {
    return (long) APPENDED_BYTES.getAcquire(this);
  }

  public long forcedSequence() {
    return (long) FORCED_SEQUENCE.getAcquire(this);
  }

  public long forcedBytes() {
    return (long) FORCED_BYTES.getAcquire(this);
  }

  /** Refuses all further operations. Returns the cause, to be thrown. */
  public LogException fail(LogException cause) {
    failure = cause;
    return cause;
  }

  public boolean isUsable() {
    return failure == null;
  }

  /** Throws if the log has failed before. */
  public void requireUsable() {
    LogException cause = failure;
    if (cause != null) {
      throw LogException.fatal(
          "The log has failed and accepts no more records: " + cause.getMessage(), cause);
    }
  }

  private static VarHandle handle(String name, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(LogProgress.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
