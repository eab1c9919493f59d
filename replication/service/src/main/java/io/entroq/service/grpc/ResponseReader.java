package io.entroq.service.grpc;

import io.entroq.service.translation.Refusal;
import io.grpc.ServerCall;

/**
 * The reader of one call's response, and how long it may take. Tracked only while something does
 * not leave at once. Any thread.
 */
final class ResponseReader {
  private final SlowReaders readers;

  /**
   * Null when nothing is on its way any more: this object stays in the ring of {@link SlowReaders}
   * for a while, and would keep the request and its response in memory.
   */
  private volatile ServerCall<?, ?> call;

  private volatile Runnable onSlow = () -> {};
  private long lastBytes;
  private long patienceEndNs;
  private boolean isLookedAfter;
  private boolean isCut;

  ResponseReader(ServerCall<?, ?> call, SlowReaders readers) {
    this.call = call;
    this.readers = readers;
  }

  /** Sets what runs each time the reader has read nothing for too long. */
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

  /** The last bytes have not left at once. */
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
      patienceEndNs = endNs;
      if (call != null && !isLookedAfter) {
        isLookedAfter = true;
        readers.add(this);
      }
    }
  }

  /** Stops tracking the reader if it reads, and ends its call if it is too slow. */
  void look(long nowNs) {
    synchronized (this) {
      boolean isSlow = isSlow();
      if (call == null || (isSlow && nowNs - patienceEndNs < 0)) {
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
   * Stops tracking: nothing is on its way any more.
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
    if (isLookedAfter) {
      isLookedAfter = false;
      readers.remove(this);
    }
  }
}
