package io.entroq.engine.backup;

/**
 * What a backup that is on its way has to come to, as whoever sends it knows.
 *
 * @param snapshotSequence the last record that its snapshot holds, 0 if it has none
 * @param sequence the last record of its log
 * @param bytes how large its files are together
 * @param isStateKnown whether the two digests are known
 * @param historyDigest of the state after that record, as it was where it was applied
 * @param contentDigest likewise
 */
public record BackupHead(
    long snapshotSequence,
    long sequence,
    long bytes,
    boolean isStateKnown,
    long historyDigest,
    long contentDigest) {}
