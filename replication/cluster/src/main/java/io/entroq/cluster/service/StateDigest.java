package io.entroq.cluster.service;

import io.entroq.engine.state.StateMachine;

/**
 * What two members must agree in that have applied the same.
 *
 * @param sequence of the last record
 * @param history digest of all that happened
 * @param content digest of what is there
 */
public record StateDigest(long sequence, long history, long content) {
  /** Of a state, between two commands. */
  public static StateDigest of(StateMachine machine) {
    return new StateDigest(machine.sequence(), machine.historyDigest(), machine.contentDigest());
  }
}
