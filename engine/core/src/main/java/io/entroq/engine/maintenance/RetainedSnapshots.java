package io.entroq.engine.maintenance;

/**
 * Sizes of the two newest good snapshots, and of the log written since each. Applying thread only.
 *
 * <p>Positions in the log are bytes since the opening; earlier ones are negative.
 */
final class RetainedSnapshots {
  private long newestSequence;
  private long newestBytes;
  private long newestLogBytes;
  private long olderBytes;
  private long olderLogBytes;

  /**
   * Starts from the recovered directory.
   *
   * @param sequence sequence of the newest good snapshot; 0 if there is none
   * @param bytes its size
   * @param othersBytes total size of the others
   * @param tailBytes bytes of log after it, or of the whole log if there is none
   */
  RetainedSnapshots(long sequence, long bytes, long othersBytes, long tailBytes) {
    newestSequence = sequence;
    newestBytes = bytes;
    newestLogBytes = -tailBytes;
    olderBytes = othersBytes;
    olderLogBytes = -tailBytes;
  }

  /**
   * Adds a new snapshot.
   *
   * @param logBytes bytes of log when the state was frozen
   */
  void add(long sequence, long bytes, long logBytes) {
    olderBytes = newestBytes;
    olderLogBytes = newestLogBytes;
    newestSequence = sequence;
    newestBytes = bytes;
    newestLogBytes = logBytes;
  }

  /** Sequence of the newest snapshot; 0 if there is none. */
  long newestSequence() {
    return newestSequence;
  }

  /** Bytes of log after the newest snapshot. */
  long logBytesAfterNewest(long logBytes) {
    return logBytes - newestLogBytes;
  }

  /** Bytes of both snapshots and of the log after the older one. */
  long heldBytes(long logBytes) {
    return newestBytes + olderBytes + logBytes - olderLogBytes;
  }
}
