package io.entroq.cluster.member;

import io.entroq.engine.state.StateMachine;

/**
 * The state that a member has come to. Members that have applied the same are equal in all of it.
 *
 * @param sequence of the last record; 0: there is none yet
 * @param history digest of all that happened
 * @param content digest of what is there
 * @param clusterIdHigh upper half of the cluster's id, which is that of its log
 * @param clusterIdLow lower half
 * @param level behaviour level
 * @param logTimeMs time of the last record, in milliseconds since 1970
 */
public record MemberState(
    long sequence,
    long history,
    long content,
    long clusterIdHigh,
    long clusterIdLow,
    int level,
    long logTimeMs) {
  static MemberState of(StateMachine machine) {
    return new MemberState(
        machine.sequence(),
        machine.historyDigest(),
        machine.contentDigest(),
        machine.logIdHigh(),
        machine.logIdLow(),
        machine.level(),
        machine.logTimeMs());
  }
}
