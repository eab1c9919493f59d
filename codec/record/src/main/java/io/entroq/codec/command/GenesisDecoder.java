package io.entroq.codec.command;

import org.agrona.DirectBuffer;

/** Reads a Genesis. */
public final class GenesisDecoder {
  private static final int LOG_ID_HIGH_TAG = 1 << 3 | WireReader.FIXED64;
  private static final int LOG_ID_LOW_TAG = 2 << 3 | WireReader.FIXED64;
  private static final int SEED_TAG = 3 << 3 | WireReader.FIXED64;
  private static final int LEVEL_TAG = 4 << 3 | WireReader.VARINT;
  private static final int CREATED_MS_TAG = 5 << 3 | WireReader.FIXED64;

  private final WireReader reader = new WireReader();
  private long logIdHigh;
  private long logIdLow;
  private long seed;
  private int level;
  private long createdMs;

  /** A decoder of nothing until it is wrapped. */
  public GenesisDecoder() {}

  /**
   * Reads and checks a whole Genesis.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    clear();
    while (reader.hasNext()) {
      int tag = reader.tag("Genesis");
      switch (tag) {
        case LOG_ID_HIGH_TAG -> logIdHigh = reader.fixed64("Genesis.log_id_high");
        case LOG_ID_LOW_TAG -> logIdLow = reader.fixed64("Genesis.log_id_low");
        case SEED_TAG -> seed = reader.fixed64("Genesis.seed");
        case LEVEL_TAG -> level = reader.int32("Genesis.level");
        case CREATED_MS_TAG -> createdMs = reader.fixed64("Genesis.created_ms");
        default -> reader.skip(tag, 5, "Genesis");
      }
    }
    RaiseLevelDecoder.checkLevel(reader, "Genesis.level", level);
  }

  private void clear() {
    logIdHigh = 0;
    logIdLow = 0;
    seed = 0;
    level = 0;
    createdMs = 0;
  }

  /** Upper half of the log's id. */
  public long logIdHigh() {
    return logIdHigh;
  }

  /** Lower half of the log's id. */
  public long logIdLow() {
    return logIdLow;
  }

  /** Seed of the generator. */
  public long seed() {
    return seed;
  }

  /** Behaviour level to begin with, from 1. */
  public int level() {
    return level;
  }

  /** Wall clock when the log was made, milliseconds since the epoch. */
  public long createdMs() {
    return createdMs;
  }
}
