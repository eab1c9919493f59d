package io.entroq.codec.snapshot;

/**
 * The source of a snapshot: a state that does not change while it is written.
 *
 * <p>The getters always return the same values. {@link #writeTo} is called once, on one thread.
 */
public interface SnapshotSource {
  /** Sequence of the last record applied to it. */
  long sequence();

  /** Log time of that record. */
  long logTimeMs();

  /** Behavior level after that record. */
  int level();

  long logIdHigh();

  long logIdLow();

  long historyDigest();

  long contentDigest();

  long taskCount();

  long queueCount();

  /** Approximate size of its chunks. */
  long liveBytes();

  /** Passes all chunks to the sink in order; exceptions of the sink propagate. */
  void writeTo(ChunkSink sink);
}
