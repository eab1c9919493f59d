package io.entroq.cluster.member;

import io.entroq.engine.state.StateMachine;

/**
 * Position and digests of a member's state. They are equal on all members that have applied the
 * same commands.
 *
 * @param sequence of the last record; 0 if there is none
 * @param history digest of everything that happened
 * @param content digest of everything in the state
 * @param clusterIdHigh upper half of the cluster's id, which is that of its log
 * @param clusterIdLow lower half
 * @param level behavior level
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
