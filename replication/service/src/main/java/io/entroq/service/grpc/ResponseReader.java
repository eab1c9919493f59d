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
   * Null when nothing is on its way to him any more. He himself stays with those who look after him
   * for a while, and would hold a request and its answer.
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

  /** Sets what is done when he has taken nothing for too long, each time. */
  void onSlow(Runnable action) {
    onSlow = action;
  }

  /** What he is told when he is too slow. */
  Refusal refusal() {
    return readers.refusal();
  }

  /** So many bytes have been sent to him, and others may follow. */
  void sent(long bytes) {
    if (isSlow()) {
      await(bytes);
    }
  }

  /** So many bytes have been sent to him, and no others follow. */
  void sentLast(long bytes) {
    lastBytes = bytes;
    readers.sentLastTo(this);
  }

  /** What was sent to him last has not left at once. */
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

  /** Looks after him no longer if he takes what is sent, and does something if he is too slow. */
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
    // Without the lock, since what is done goes through those of its call.
    onSlow.run();
  }

  /**
   * Nothing is on its way to him any more.
   *
   * @return whether he has been too slow
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
