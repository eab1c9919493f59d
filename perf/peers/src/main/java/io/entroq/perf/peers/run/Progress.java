package io.entroq.perf.peers.run;

import io.entroq.perf.peers.peer.DurabilityClass;

/** Is told how a run goes on. On the thread of the run. */
public interface Progress {
  /** A peer is about to be started, or to go on, for its turn. */
  void turn(String peer, DurabilityClass durability, int round);

  /** Something was measured, or failed. */
  void result(Result result);
}
