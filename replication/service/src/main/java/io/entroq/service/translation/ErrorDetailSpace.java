package io.entroq.service.translation;

import com.google.protobuf.Message;

/**
 * The space for the details of an error. gRPC sends them in trailers, of which some clients accept
 * only 8 KiB; with more, they would not see the error.
 */
public final class ErrorDetailSpace {
  /** What fits into 8 KiB as base64, next to a text and the other trailers. */
  static final int TRAILER_BYTES = 5_000;

  /** The limit for bodies, where only memory matters. */
  static final int BODY_BYTES = 256 << 10;

  /** The overhead of the Any around an entry: its type name and three tags. */
  private static final int BYTES_AROUND = 48;

  private final int bytesMax;
  private int bytes;

  /** The space in trailers. */
  public ErrorDetailSpace() {
    this(TRAILER_BYTES);
  }

  ErrorDetailSpace(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * The space for error details, in bytes.
   *
   * @param hasTrailers whether the details go into trailers instead of a body
   */
  public static int bytes(boolean hasTrailers) {
    return hasTrailers ? TRAILER_BYTES : BODY_BYTES;
  }

  /** Takes the space of an entry, if there is enough. */
  public boolean take(Message entry) {
    return bytes + size(entry) <= bytesMax && takeAnyway(entry);
  }

  /** Takes the space of an entry that must be included. */
  boolean takeAnyway(Message entry) {
    bytes += size(entry);
    return true;
  }

  private static int size(Message entry) {
    return entry.getSerializedSize() + BYTES_AROUND;
  }
}
