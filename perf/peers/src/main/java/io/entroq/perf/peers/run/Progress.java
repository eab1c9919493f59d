package io.entroq.perf.peers.run;

import io.entroq.perf.peers.peer.DurabilityClass;

/** Observes a run. Called on the thread of the run. */
public interface Progress {
  /** A peer's turn begins. */
  void turn(String peer, DurabilityClass durability, int round);

  /** A measurement has ended or failed. */
  void result(Result result);
}
