package io.entroq.cluster.service;

import io.aeron.cluster.service.Cluster;

/**
 * The one timer that is armed for the earliest deadline that matters to a parked claim. Arming it
 * again moves it. Applying thread.
 */
final class DeadlineTimer {
  /** The service in the upper half, as timers of several would have to be told apart. */
  static final long CORRELATION_ID = 1L << 32 | 1;

  private static final long NOT_ARMED = Long.MAX_VALUE;

  private final Cluster cluster;
  private long armedMs = NOT_ARMED;

  DeadlineTimer(Cluster cluster) {
    this.cluster = cluster;
  }

  /** It has gone off, or may have been lost. */
  void forget() {
    armedMs = NOT_ARMED;
  }

  /**
   * Sees to it that it goes off by then. One that would go off earlier stays: it costs an entry in
   * the log, and to move it would cost messages at every change.
   *
   * @param deadlineMs log time; {@link Long#MAX_VALUE}: nothing is waited for
   */
  void arm(long deadlineMs) {
    if (deadlineMs >= armedMs) {
      return;
    }
    cluster.idleStrategy().reset();
    while (!cluster.scheduleTimer(CORRELATION_ID, deadlineMs)) {
      cluster.idleStrategy().idle();
    }
    armedMs = deadlineMs;
  }
}
