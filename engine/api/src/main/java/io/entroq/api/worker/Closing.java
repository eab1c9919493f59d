package io.entroq.api.worker;

/** How far a worker has come with its end; there is no way back. Any thread. */
final class Closing {
  private volatile boolean stopping;
  private volatile boolean abandoning;

  /** Nothing more is to be claimed. */
  void stop() {
    stopping = true;
  }

  /** Nothing is to be waited for any more either. */
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
