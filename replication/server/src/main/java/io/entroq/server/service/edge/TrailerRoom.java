package io.entroq.server.service.edge;

import com.google.protobuf.Message;

/**
 * The room that there is for the details of an error. They travel in trailers, of which some
 * clients take no more than 8 KiB; past that they would see no error that they know.
 */
public final class TrailerRoom {
  /** What fits into 8 KiB as base64 beside the other trailers. */
  private static final int BYTES_MAX = 5_600;

  /** The Any around an entry: its type's name and three tags. */
  private static final int BYTES_AROUND = 48;

  private int bytes;

  /** All of it. */
  public TrailerRoom() {}

  /** Takes the room for an entry, if there is as much. */
  public boolean take(Message entry) {
    return bytes + size(entry) <= BYTES_MAX && takeAnyway(entry);
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
