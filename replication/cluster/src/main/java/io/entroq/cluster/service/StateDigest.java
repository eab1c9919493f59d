package io.entroq.cluster.service;

import io.entroq.codec.snapshot.SnapshotSource;
import io.entroq.engine.state.StateMachine;

/**
 * Digests of a state. They are equal on members that have applied the same commands.
 *
 * @param sequence of the last record
 * @param history digest of everything that happened
 * @param content digest of the content
 */
public record StateDigest(long sequence, long history, long content) {
  /** The digests of a state; called between two commands. */
  public static StateDigest of(StateMachine machine) {
    return new StateDigest(machine.sequence(), machine.historyDigest(), machine.contentDigest());
  }

  /** The digests of a frozen state. */
  static StateDigest ofFrozen(SnapshotSource state) {
    return new StateDigest(state.sequence(), state.historyDigest(), state.contentDigest());
  }
}
