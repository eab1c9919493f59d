package io.entroq.cluster.service;

import io.aeron.cluster.service.Cluster;

/**
 * The timer for the earliest deadline of a parked claim. Arming it again moves it. Applying thread.
 */
final class DeadlineTimer {
  /** The service id is in the upper half, as in a cluster with several services. */
  static final long CORRELATION_ID = 1L << 32 | 1;

  private static final long NOT_ARMED = Long.MAX_VALUE;

  private final Cluster cluster;
  private long armedMs = NOT_ARMED;

  DeadlineTimer(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Called when the timer has fired or may have been lost. */
  void forget() {
    armedMs = NOT_ARMED;
  }

  /**
   * Makes the timer fire at the deadline or earlier. An earlier timer stays: firing it costs a log
   * entry, but moving it would cost messages at every change.
   *
   * @param deadlineMs log time; {@link Long#MAX_VALUE} if there is no deadline
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
