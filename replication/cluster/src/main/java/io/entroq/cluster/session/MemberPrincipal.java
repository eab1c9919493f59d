package io.entroq.cluster.session;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Identifies a session in the log and in snapshots by the incarnation of its engine. 16 bytes. */
public final class MemberPrincipal {
  private static final long MAGIC = 0x4e4d_514f_5254_4e45L;
  private static final int BYTES = 2 * BitUtil.SIZE_OF_LONG;

  private MemberPrincipal() {}

  public static byte[] of(long incarnation) {
    byte[] bytes = new byte[BYTES];
    UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    buffer.putLong(0, MAGIC);
    buffer.putLong(BitUtil.SIZE_OF_LONG, incarnation);
    return bytes;
  }

  public static boolean isValid(byte[] principal) {
    return principal != null
        && principal.length == BYTES
        && new UnsafeBuffer(principal).getLong(0) == MAGIC;
  }

  /** The incarnation in a principal; 0 if it is not valid. */
  public static long incarnation(byte[] principal) {
    return isValid(principal) ? new UnsafeBuffer(principal).getLong(BitUtil.SIZE_OF_LONG) : 0;
  }
}
