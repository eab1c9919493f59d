package io.entroq.service.grpc;

import io.entroq.service.translation.Refusal;
import io.grpc.ServerCall;

/**
 * The reader of one call's response, and how long it may take. Tracked only while bytes wait to be
 * read. Any thread.
 */
final class ResponseReader {
  private final SlowReaders readers;

  /**
   * Null once everything has been read. This object stays in the ring of {@link SlowReaders} for a
   * while, and would keep the request and its response in memory.
   */
  private volatile ServerCall<?, ?> call;

  private volatile Runnable onSlow = () -> {};
  private long lastBytes;
  private long deadlineNs;
  private boolean isTracked;
  private boolean isCut;

  ResponseReader(ServerCall<?, ?> call, SlowReaders readers) {
    this.call = call;
    this.readers = readers;
  }

  /** Sets what runs each time the reader has stalled for too long. */
  void onSlow(Runnable action) {
    onSlow = action;
  }

  /** The error of a slow reader. */
  Refusal refusal() {
    return readers.refusal();
  }

  /** Reports bytes that were sent; more may follow. */
  void sent(long bytes) {
    if (isSlow()) {
      await(bytes);
    }
  }

  /** Reports the last bytes. */
  void sentLast(long bytes) {
    lastBytes = bytes;
    readers.sentLastTo(this);
  }

  /** Tracks the reader: its last bytes were not sent at once. */
  void await() {
    await(lastBytes);
  }

  private boolean isSlow() {
    ServerCall<?, ?> own = call;
    return own != null && !own.isReady();
  }

  private void await(long bytes) {
    if (call == null) {
      return;
    }
    long endNs = System.nanoTime() + readers.patience(bytes).toNanos();
    synchronized (this) {
      deadlineNs = endNs;
      if (call != null && !isTracked) {
        isTracked = true;
        readers.add(this);
      }
    }
  }

  /** Stops tracking the reader if it reads, and ends its call if it is too slow. */
  void look(long nowNs) {
    synchronized (this) {
      boolean isSlow = isSlow();
      if (call == null || (isSlow && nowNs - deadlineNs < 0)) {
        return;
      }
      forget();
      if (!isSlow) {
        return;
      }
      if (!isCut) {
        isCut = true;
        readers.onCut();
      }
    }
    // Without the lock: the action takes the locks of its call.
    onSlow.run();
  }

  /**
   * Stops tracking: everything has been read, or the call has ended.
   *
   * @return whether the reader was too slow
   */
  synchronized boolean end() {
    call = null;
    onSlow = () -> {};
    forget();
    return isCut;
  }

  private void forget() {
    if (isTracked) {
      isTracked = false;
      readers.remove(this);
    }
  }
}
