package io.entroq.engine.recovery;

import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.state.StateMachine;

/**
 * A state brought back, and where its log goes on.
 *
 * @param machine the state; the caller's, who closes it; null if only bytes were to be looked at
 * @param log where the log ends
 * @param snapshot the snapshot that it began with, null if it was the whole log
 * @param othersBytes the size of the other snapshots in the directory
 * @param replayedBytes bytes of the records that were replayed
 */
public record RecoveredState(
    StateMachine machine,
    RecoveredLog log,
    Manifest snapshot,
    long othersBytes,
    long replayedBytes) {}
