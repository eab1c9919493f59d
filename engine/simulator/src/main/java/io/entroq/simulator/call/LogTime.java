package io.entroq.simulator.call;

import io.entroq.simulator.virtual.EventQueue;

/**
 * Estimates log time for clients: the time in the last reply, plus the time that has passed since.
 * One thread.
 */
public final class LogTime {
  private static final long NS_PER_MS = 1_000_000;

  /** For how long the reply that told log time, and a request, are usually under way together. */
  private static final long AHEAD_NS = 2 * NS_PER_MS;

  private final EventQueue events;
  private long seenMs;
  private long seenNs;
  private long lostNs = -1;
  private boolean isLost;

  /**
   * @param startMs what it is taken to be before any reply, milliseconds since the epoch
   */
  public LogTime(EventQueue events, long startMs) {
    this.events = events;
    this.seenMs = startMs;
    this.seenNs = events.nowNs();
  }

  /** Records are lost, and their time with them. */
  public void lost() {
    lostNs = events.nowNs();
    isLost = true;
  }

  /**
   * A reply has told it; an old one may come late.
   *
   * @param askedNs when the request was sent first: what was asked before a loss may tell a time
   *     that is lost
   */
  public void saw(long logTimeMs, long askedNs) {
    if (askedNs > lostNs && (isLost || logTimeMs >= seenMs)) {
      seenMs = logTimeMs;
      seenNs = events.nowNs();
      isLost = false;
    }
  }

  /**
   * In how many nanoseconds to send something that is to be decided in a millisecond, as nearly as
   * a client can aim: what it takes log time to be is late, and a request takes a while.
   *
   * @return 0 or more
   */
  public long aimNs(long logTimeMs) {
    return Math.max(0, (logTimeMs - nowMs()) * NS_PER_MS - AHEAD_NS);
  }

  /** In milliseconds since the epoch. */
  public long nowMs() {
    return seenMs + (events.nowNs() - seenNs) / NS_PER_MS;
  }
}
