package io.entroq.service.translation;

import com.google.protobuf.Message;

/**
 * The space for the details of an error. Over gRPC they travel in trailers, and some clients accept
 * only 8 KiB of those; beyond that they would not see the error at all.
 */
public final class ErrorDetailSpace {
  /** What fits into 8 KiB as base64 beside the other trailers. */
  static final int TRAILER_BYTES = 5_600;

  /** What is enough in a body, where nothing but memory is in the way. */
  static final int BODY_BYTES = 256 << 10;

  /** The Any around an entry: its type's name and three tags. */
  private static final int BYTES_AROUND = 48;

  private final int bytesMax;
  private int bytes;

  /** All that there is in trailers. */
  public ErrorDetailSpace() {
    this(TRAILER_BYTES);
  }

  /** So many bytes. */
  ErrorDetailSpace(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * How many bytes there are for what carries an error.
   *
   * @param hasTrailers whether they go there, and not into a body
   */
  public static int bytes(boolean hasTrailers) {
    return hasTrailers ? TRAILER_BYTES : BODY_BYTES;
  }

  /** Takes the room for an entry, if there is as much. */
  public boolean take(Message entry) {
    return bytes + size(entry) <= bytesMax && takeAnyway(entry);
  }

  /** Takes the room for an entry that has to be there. */
  boolean takeAnyway(Message entry) {
    bytes += size(entry);
    return true;
  }

  private static int size(Message entry) {
    return entry.getSerializedSize() + BYTES_AROUND;
  }
}
