package io.entroq.cluster.mirror;

import io.entroq.engine.log.LogException;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.snapshot.Manifest;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * What a mirror that was found has to agree in with the log of the cluster: the digests of its
 * newest snapshot, and each record behind that. Gathered by the thread that opens the mirror, then
 * the applying thread's.
 */
final class MirrorVerifier implements RecordHandler {
  /** 256 MiB of sums; there are snapshots so that it does not come to that. */
  private static final int RECORDS_MAX = 1 << 26;

  private final Manifest snapshot;
  private int[] sums = new int[1_024];
  private int count;
  private long lastSequence;

  /**
   * @param snapshot the newest one; null if there is none
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
          "it has more than %,d records behind its newest snapshot".formatted(RECORDS_MAX));
    }
    if (count == sums.length) {
      sums = Arrays.copyOf(sums, 2 * count);
    }
    sums[count] = sum(type, logTimeMs, payloadCrc);
    count++;
    lastSequence = sequence;
  }

  private static int sum(int type, long logTimeMs, int payloadCrc) {
    return (31 * payloadCrc + type) * 31 + Long.hashCode(logTimeMs * 0x9e37_79b9_7f4a_7c15L);
  }

  /** The records are not asked for any more. */
  void forget() {
    sums = new int[0];
  }

  /** Whether nothing was found. */
  boolean isEmpty() {
    return lastSequence == 0;
  }

  /** The newest snapshot; 0: there is none. */
  long snapshotSequence() {
    return snapshot == null ? 0 : snapshot.sequence();
  }

  /** The last record; 0: there is none. */
  long lastSequence() {
    return lastSequence;
  }

  /** Whether the state after the snapshot's last record is the snapshot's. */
  boolean isSameState(long historyDigest, long contentDigest) {
    return snapshot == null
        || (historyDigest == snapshot.historyDigest() && contentDigest == snapshot.contentDigest());
  }

  /**
   * Whether this is the record that was found.
   *
   * @param sequence behind the snapshot, up to the last
   */
  boolean isSameRecord(long sequence, int type, long logTimeMs, int payloadCrc) {
    return sums[(int) (sequence - snapshotSequence() - 1)] == sum(type, logTimeMs, payloadCrc);
  }
}
