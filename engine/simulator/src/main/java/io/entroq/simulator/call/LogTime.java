package io.entroq.simulator.call;

import io.entroq.simulator.virtual.EventQueue;

/** Estimates log time for clients: the time in the last reply plus the time since. One thread. */
public final class LogTime {
  private static final long NS_PER_MS = 1_000_000;

  /** The usual delay of a reply and a request together. */
  private static final long AHEAD_NS = 2 * NS_PER_MS;

  private final EventQueue events;
  private long seenMs;
  private long seenNs;
  private long lostNs = -1;
  private boolean isLost;

  /**
   * @param startMs log time before any reply, milliseconds since the epoch
   */
  public LogTime(EventQueue events, long startMs) {
    this.events = events;
    this.seenMs = startMs;
    this.seenNs = events.nowNs();
  }

  /** Records and their times are lost. */
  public void lost() {
    lostNs = events.nowNs();
    isLost = true;
  }

  /**
   * A reply contains a log time. Old replies may arrive late.
   *
   * @param sentNs when the request was first sent; times in replies to requests from before a loss
   *     are ignored
   */
  public void observe(long logTimeMs, long sentNs) {
    if (sentNs > lostNs && (isLost || logTimeMs >= seenMs)) {
      seenMs = logTimeMs;
      seenNs = events.nowNs();
      isLost = false;
    }
  }

  /**
   * The delay in nanoseconds, 0 or more, after which a request must be sent to be executed at a log
   * time, as exactly as a client can tell.
   */
  public long aimNs(long logTimeMs) {
    return Math.max(0, (logTimeMs - nowMs()) * NS_PER_MS - AHEAD_NS);
  }

  /** The estimate, milliseconds since the epoch. */
  public long nowMs() {
    return seenMs + (events.nowNs() - seenNs) / NS_PER_MS;
  }
}
