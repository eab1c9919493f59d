package io.entroq.api.worker;

/** How far a worker's shutdown has come; never goes back. Thread-safe. */
final class Closing {
  private volatile boolean stopping;
  private volatile boolean abandoning;

  /** Claim no more. */
  void stop() {
    stopping = true;
  }

  /** Claim no more, and wait for nothing. */
  void abandon() {
    stopping = true;
    abandoning = true;
  }

  boolean isStopping() {
    return stopping;
  }

  boolean isAbandoning() {
    return abandoning;
  }
}
