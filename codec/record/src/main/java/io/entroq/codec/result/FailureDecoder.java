package io.entroq.codec.result;

import io.entroq.codec.command.FieldLimits;
import io.entroq.codec.command.WireReader;

/** A Failure inside a Result. Offsets refer to the buffer of the {@link ResultDecoder}. */
public final class FailureDecoder {
  private static final int ITEM_KIND_TAG = 1 << 3 | WireReader.VARINT;
  private static final int INDEX_TAG = 2 << 3 | WireReader.VARINT;
  private static final int CLAIMED_TAG = 3 << 3 | WireReader.VARINT;
  private static final int EXISTING_VERSION_TAG = 4 << 3 | WireReader.VARINT;
  private static final int EXISTING_QUEUE_TAG = 5 << 3 | WireReader.LENGTH_DELIMITED;

  private int itemKind;
  private int index;
  private boolean claimed;
  private int existingVersion;
  private int existingQueueOffset;
  private int existingQueueLength;

  FailureDecoder() {}

  void read(WireReader reader) {
    clear();
    int outer = reader.enter("Result.failures");
    while (reader.hasNext()) {
      int tag = reader.tag("Failure");
      switch (tag) {
        case ITEM_KIND_TAG -> itemKind = reader.enumeration("Failure.item_kind", ItemKinds.MAX);
        case INDEX_TAG -> index = reader.int32("Failure.index");
        case CLAIMED_TAG -> claimed = reader.bool("Failure.claimed");
        case EXISTING_VERSION_TAG -> existingVersion = reader.int32("Failure.existing_version");
        case EXISTING_QUEUE_TAG -> {
          existingQueueLength = reader.text("Failure.existing_queue", FieldLimits.TEXT_BYTES_MAX);
          existingQueueOffset = reader.spanOffset();
        }
        default -> reader.skip(tag, 5, "Failure");
      }
    }
    reader.leave(outer);
  }

  private void clear() {
    itemKind = ItemKinds.NONE;
    index = 0;
    claimed = false;
    existingVersion = 0;
    existingQueueOffset = 0;
    existingQueueLength = 0;
  }

  /** One of {@link ItemKinds}. */
  public int itemKind() {
    return itemKind;
  }

  /** Position in its list, from 0. */
  public int index() {
    return index;
  }

  /** Whether the version matches, but somebody else holds the task. */
  public boolean claimed() {
    return claimed;
  }

  /** For inserts: the version of the task that has the id already. */
  public int existingVersion() {
    return existingVersion;
  }

  /** Where the name of that task's queue begins. */
  public int existingQueueOffset() {
    return existingQueueOffset;
  }

  /** Bytes of the name of that task's queue; 0 if the item is no insert. */
  public int existingQueueLength() {
    return existingQueueLength;
  }
}
