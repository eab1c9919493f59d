package io.entroq.simulator.client;

import io.entroq.simulator.virtual.Agenda;

/** What clients take log time to be: the latest that a reply told, and what has passed since. */
final class LogTime {
  private static final long NS_PER_MS = 1_000_000;

  private final Agenda agenda;
  private long seenMs;
  private long seenNs;

  LogTime(Agenda agenda, long startMs) {
    this.agenda = agenda;
    this.seenMs = startMs;
    this.seenNs = agenda.nowNs();
  }

  void saw(long logTimeMs) {
    if (logTimeMs >= seenMs) {
      seenMs = logTimeMs;
      seenNs = agenda.nowNs();
    }
  }

  long nowMs() {
    return seenMs + (agenda.nowNs() - seenNs) / NS_PER_MS;
  }
}
