package io.entroq.codec.result;

import io.entroq.codec.command.FieldLimits;
import io.entroq.codec.command.WireReader;

/** A QueueStats inside a Result. Offsets refer to the buffer of the {@link ResultDecoder}. */
public final class QueueStatsDecoder {
  private static final int NAME_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int TASKS_TAG = 2 << 3 | WireReader.VARINT;
  private static final int AVAILABLE_TAG = 3 << 3 | WireReader.VARINT;
  private static final int CLAIMED_TAG = 4 << 3 | WireReader.VARINT;
  private static final int HELD_TAG = 5 << 3 | WireReader.VARINT;
  private static final int FUTURE_TAG = 6 << 3 | WireReader.VARINT;
  private static final int MAX_CLAIMS_TAG = 7 << 3 | WireReader.VARINT;
  private static final int OLDEST_AGE_MS_TAG = 8 << 3 | WireReader.VARINT;

  private int nameOffset;
  private int nameLength;
  private long tasks;
  private long available;
  private long claimed;
  private long held;
  private long future;
  private int maxClaims;
  private long oldestAgeMs;

  QueueStatsDecoder() {}

  void read(WireReader reader) {
    clear();
    int outer = reader.enter("Result.queues");
    while (reader.hasNext()) {
      int tag = reader.tag("QueueStats");
      switch (tag) {
        case NAME_TAG -> {
          nameLength = reader.text("QueueStats.name", FieldLimits.TEXT_BYTES_MAX);
          nameOffset = reader.spanOffset();
        }
        case TASKS_TAG -> tasks = reader.positive("QueueStats.tasks");
        case AVAILABLE_TAG -> available = reader.positive("QueueStats.available");
        case CLAIMED_TAG -> claimed = reader.positive("QueueStats.claimed");
        case HELD_TAG -> held = reader.positive("QueueStats.held");
        case FUTURE_TAG -> future = reader.positive("QueueStats.future");
        case MAX_CLAIMS_TAG -> maxClaims = reader.int32("QueueStats.max_claims");
        case OLDEST_AGE_MS_TAG -> oldestAgeMs = reader.positive("QueueStats.oldest_age_ms");
        default -> reader.skip(tag, 8, "QueueStats");
      }
    }
    reader.leave(outer);
  }

  private void clear() {
    nameOffset = 0;
    nameLength = 0;
    tasks = 0;
    available = 0;
    claimed = 0;
    held = 0;
    future = 0;
    maxClaims = 0;
    oldestAgeMs = 0;
  }

  /** Where the name begins. */
  public int nameOffset() {
    return nameOffset;
  }

  /** Bytes of the name. */
  public int nameLength() {
    return nameLength;
  }

  /** How many tasks there are. */
  public long tasks() {
    return tasks;
  }

  /** How many are due by now. */
  public long available() {
    return available;
  }

  /** How many are not due, and claimed at least once. */
  public long claimed() {
    return claimed;
  }

  /** How many are not due, and somebody's. */
  public long held() {
    return held;
  }

  /** How many are not due, and never claimed. */
  public long future() {
    return future;
  }

  /** The largest number of claims of any task. */
  public int maxClaims() {
    return maxClaims;
  }

  /** For how many milliseconds the oldest available task has been due; 0 if none is available. */
  public long oldestAgeMs() {
    return oldestAgeMs;
  }
}
