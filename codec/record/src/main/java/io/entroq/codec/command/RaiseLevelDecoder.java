package io.entroq.codec.command;

import org.agrona.DirectBuffer;

/** Reads a RaiseLevel. */
public final class RaiseLevelDecoder {
  private static final int LEVEL_TAG = 1 << 3 | WireReader.VARINT;

  private final WireReader reader = new WireReader();
  private int level;

  /** A decoder of nothing until it is wrapped. */
  public RaiseLevelDecoder() {}

  /**
   * Reads and checks a whole RaiseLevel.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    level = 0;
    while (reader.hasNext()) {
      int tag = reader.tag("RaiseLevel");
      switch (tag) {
        case LEVEL_TAG -> level = reader.int32("RaiseLevel.level");
        default -> reader.skip(tag, 1, "RaiseLevel");
      }
    }
    checkLevel(reader, "RaiseLevel.level", level);
  }

  static void checkLevel(WireReader reader, String field, int level) {
    if (level < 1) {
      throw reader.malformed(field, "not from 1 to 2^31-1: " + Integer.toUnsignedString(level));
    }
  }

  /** The new level, from 1. */
  public int level() {
    return level;
  }
}
