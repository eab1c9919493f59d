package io.entroq.simulator.call;

import io.entroq.simulator.virtual.Agenda;

/**
 * What clients take log time to be: the latest that a reply told, and what has passed since. One
 * thread.
 */
public final class LogTime {
  private static final long NS_PER_MS = 1_000_000;

  private final Agenda agenda;
  private long seenMs;
  private long seenNs;

  /**
   * @param startMs what it is taken to be before any reply, milliseconds since the epoch
   */
  public LogTime(Agenda agenda, long startMs) {
    this.agenda = agenda;
    this.seenMs = startMs;
    this.seenNs = agenda.nowNs();
  }

  /** A reply has told it; an old one may come late. */
  public void saw(long logTimeMs) {
    if (logTimeMs >= seenMs) {
      seenMs = logTimeMs;
      seenNs = agenda.nowNs();
    }
  }

  /** In milliseconds since the epoch. */
  public long nowMs() {
    return seenMs + (agenda.nowNs() - seenNs) / NS_PER_MS;
  }
}
