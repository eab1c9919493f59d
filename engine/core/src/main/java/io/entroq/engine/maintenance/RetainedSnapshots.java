package io.entroq.engine.maintenance;

/**
 * The two newest good snapshots, in numbers: how large they are, and how much log has been written
 * since each. The engine's thread.
 *
 * <p>Bytes of the log are counted from the opening on; what was written before has numbers below 0.
 */
final class RetainedSnapshots {
  private long newestSequence;
  private long newestBytes;
  private long newestLogBytes;
  private long olderBytes;
  private long olderLogBytes;

  /**
   * Starts from what was found at the opening.
   *
   * @param sequence of the newest good snapshot, 0 if there is none
   * @param bytes its size
   * @param othersBytes size of the others
   * @param tailBytes bytes of log behind it, or in all if there is none
   */
  RetainedSnapshots(long sequence, long bytes, long othersBytes, long tailBytes) {
    newestSequence = sequence;
    newestBytes = bytes;
    newestLogBytes = -tailBytes;
    olderBytes = othersBytes;
    olderLogBytes = -tailBytes;
  }

  /**
   * There is a new one.
   *
   * @param logBytes how much log had been written when the state was frozen
   */
  void add(long sequence, long bytes, long logBytes) {
    olderBytes = newestBytes;
    olderLogBytes = newestLogBytes;
    newestSequence = sequence;
    newestBytes = bytes;
    newestLogBytes = logBytes;
  }

  /** The sequence of the newest one, 0 if there is none. */
  long newestSequence() {
    return newestSequence;
  }

  /** Bytes of log behind the newest. */
  long logBytesBehindNewest(long logBytes) {
    return logBytes - newestLogBytes;
  }

  /** Bytes of both, and of the log behind the older. */
  long heldBytes(long logBytes) {
    return newestBytes + olderBytes + logBytes - olderLogBytes;
  }
}
