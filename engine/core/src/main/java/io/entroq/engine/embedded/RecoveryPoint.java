package io.entroq.engine.embedded;

import io.entroq.engine.state.StateMachine;

/**
 * What recovery found before anything was added. Immutable.
 *
 * @param sequence of the last record; 0 if the log was empty
 * @param logTimeMs its log time
 * @param historyDigest {@link StateMachine#historyDigest} after it
 * @param contentDigest {@link StateMachine#contentDigest} after it
 */
public record RecoveryPoint(long sequence, long logTimeMs, long historyDigest, long contentDigest) {
  static RecoveryPoint of(StateMachine machine) {
    return new RecoveryPoint(
        machine.sequence(), machine.logTimeMs(), machine.historyDigest(), machine.contentDigest());
  }
}
