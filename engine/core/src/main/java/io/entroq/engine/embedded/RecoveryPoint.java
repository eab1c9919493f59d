package io.entroq.engine.embedded;

import io.entroq.engine.state.StateMachine;

/**
 * What an engine has found in its directory, before it added anything: for those who remember what
 * was there. Immutable.
 *
 * @param sequence the last record; 0: the log was empty
 * @param logTimeMs its log time
 * @param historyDigest of the state after it: {@link StateMachine#historyDigest}
 * @param contentDigest likewise
 */
public record RecoveryPoint(long sequence, long logTimeMs, long historyDigest, long contentDigest) {
  static RecoveryPoint of(StateMachine machine) {
    return new RecoveryPoint(
        machine.sequence(), machine.logTimeMs(), machine.historyDigest(), machine.contentDigest());
  }
}
