package io.entroq.engine.recovery;

import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.state.StateMachine;

/**
 * A recovered state and the end of its log.
 *
 * @param machine the state, which the caller closes; null if only bytes were verified
 * @param log the end of the log
 * @param snapshot the snapshot it started from; null if the whole log was replayed
 * @param othersBytes total size of the other snapshots in the directory, without history
 * @param replayedBytes bytes of replayed records
 */
public record RecoveredState(
    StateMachine machine,
    RecoveredLog log,
    Manifest snapshot,
    long othersBytes,
    long replayedBytes) {}
