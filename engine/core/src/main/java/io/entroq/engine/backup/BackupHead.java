package io.entroq.engine.backup;

/**
 * What a backup being transferred must contain, according to its sender.
 *
 * @param snapshotSequence the last record in its snapshot; 0 without a snapshot
 * @param sequence the last record of its log
 * @param bytes total size of its files
 * @param isStateKnown whether the digests are known
 * @param historyDigest history digest of the sender's state after that record
 * @param contentDigest content digest of that state
 */
public record BackupHead(
    long snapshotSequence,
    long sequence,
    long bytes,
    boolean isStateKnown,
    long historyDigest,
    long contentDigest) {}
