package io.entroq.simulator.call;

import io.entroq.simulator.virtual.Agenda;

/**
 * What clients take log time to be: what a reply told last, and what has passed since. One thread.
 */
public final class LogTime {
  private static final long NS_PER_MS = 1_000_000;

  /** No reply is on its way for so long; one that tells less comes from an engine that has lost. */
  private static final long LATE_MS_MAX = 60_000;

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

  /** A reply has told it; an old one may come late. What is lost takes its time with it. */
  public void saw(long logTimeMs) {
    if (logTimeMs >= seenMs || logTimeMs < nowMs() - LATE_MS_MAX) {
      seenMs = logTimeMs;
      seenNs = agenda.nowNs();
    }
  }

  /** In milliseconds since the epoch. */
  public long nowMs() {
    return seenMs + (agenda.nowNs() - seenNs) / NS_PER_MS;
  }
}
