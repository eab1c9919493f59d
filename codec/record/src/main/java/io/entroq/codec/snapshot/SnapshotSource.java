package io.entroq.codec.snapshot;

/**
 * A state that does not change while it is written: the source of a snapshot.
 *
 * <p>The figures never change, whoever asks; {@link #writeTo} is called once, on one thread.
 */
public interface SnapshotSource {
  /** Sequence of the last record whose effects are in it. */
  long sequence();

  /** Log time of that record. */
  long logTimeMs();

  /** Behaviour level after that record. */
  int level();

  long logIdHigh();

  long logIdLow();

  long historyDigest();

  long contentDigest();

  long taskCount();

  long queueCount();

  /** What its chunks will take, roughly. */
  long liveBytes();

  /** Hands over all chunks in their order; an exception of the sink passes through. */
  void writeTo(ChunkSink sink);
}
