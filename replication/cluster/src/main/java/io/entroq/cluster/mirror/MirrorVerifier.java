package io.entroq.cluster.mirror;

import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.snapshot.Manifest;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Compares a mirror found at the start with the cluster's log: the digests of its newest snapshot,
 * and a checksum of each record after it. Filled by the opening thread, then used by the applying
 * thread.
 */
final class MirrorVerifier implements RecordHandler {
  /** 256 MiB of checksums; snapshots keep the number far below. */
  private static final int RECORDS_MAX = 1 << 26;

  private final Manifest snapshot;
  private int[] checksums = new int[1_024];
  private int count;
  private long lastSequence;

  /**
   * @param snapshot the newest snapshot; null if there is none
   */
  MirrorVerifier(Manifest snapshot) {
    this.snapshot = snapshot;
    lastSequence = snapshotSequence();
  }

  @Override
  public void onRecord(
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    if (sequence <= snapshotSequence()) {
      return;
    }
    if (count == RECORDS_MAX) {
      throw LogException.error(
          "it has more than %,d records after its newest snapshot".formatted(RECORDS_MAX));
    }
    if (count == checksums.length) {
      checksums = Arrays.copyOf(checksums, 2 * count);
    }
    checksums[count] = checksum(type, logTimeMs, payloadCrc);
    count++;
    lastSequence = sequence;
  }

  private static int checksum(int type, long logTimeMs, int payloadCrc) {
    return (31 * payloadCrc + type) * 31 + Long.hashCode(logTimeMs * 0x9e37_79b9_7f4a_7c15L);
  }

  /** Releases the memory; the mirror is verified. */
  void clear() {
    checksums = new int[0];
  }

  /** Whether nothing was found. */
  boolean isEmpty() {
    return lastSequence == 0;
  }

  /** The sequence of the newest snapshot; 0 if there is none. */
  long snapshotSequence() {
    return snapshot == null ? 0 : snapshot.sequence();
  }

  /** The last record; 0 if there is none. */
  long lastSequence() {
    return lastSequence;
  }

  /** Whether the snapshot has these digests. */
  boolean isSameState(long historyDigest, long contentDigest) {
    return snapshot == null
        || (historyDigest == snapshot.historyDigest() && contentDigest == snapshot.contentDigest());
  }

  /**
   * Whether this record is equal to the one found.
   *
   * @param sequence after the snapshot, up to the last record
   */
  boolean isSameRecord(long sequence, int type, long logTimeMs, int payloadCrc) {
    return checksums[(int) (sequence - snapshotSequence() - 1)]
        == checksum(type, logTimeMs, payloadCrc);
  }
}
