package io.entroq.engine.receipt;

import io.entroq.codec.result.ItemKinds;
import io.entroq.engine.task.Bytes;

/** An item of a Modify or ClaimDocs that failed. Reused: valid until the next one. */
public final class FailedItem {

  /** The version of nothing. */
  public static final int NO_VERSION = -1;

  private final Bytes existingName = new Bytes();
  private final Bytes existingIdText = new Bytes();
  private int kind;
  private int index;
  private boolean isClaimed;
  private int existingVersion;
  private long existingIdHigh;
  private long existingIdLow;

  /** Begins an item without anything that exists. */
  public FailedItem begin(int itemKind, int itemIndex, boolean claimed) {
    kind = itemKind;
    index = itemIndex;
    isClaimed = claimed;
    existingVersion = NO_VERSION;
    existingIdHigh = 0;
    existingIdLow = 0;
    existingName.clear();
    existingIdText.clear();
    return this;
  }

  public FailedItem existingVersion(int version) {
    existingVersion = version;
    return this;
  }

  /** Sets the key of the existing id; its text is {@link #existingIdText}. */
  public FailedItem existingId(long high, long low) {
    existingIdHigh = high;
    existingIdLow = low;
    return this;
  }

  /** One of {@link ItemKinds}. */
  public int kind() {
    return kind;
  }

  /** Position in its list, from 0. */
  public int index() {
    return index;
  }

  /** True if only another claimant's lease prevents it. */
  public boolean isClaimed() {
    return isClaimed;
  }

  /**
   * The version of the task that an insert collides with, of the stored set that the item is in, or
   * of the doc whose place an insert names; {@link #NO_VERSION} if there is none.
   */
  public int existingVersion() {
    return existingVersion;
  }

  /** The queue of that task; of an item that others hold, its queue or the key of its set. */
  public Bytes existingName() {
    return existingName;
  }

  /** Upper half of the id of the doc whose place an insert names; 0 like the lower half if none. */
  public long existingIdHigh() {
    return existingIdHigh;
  }

  public long existingIdLow() {
    return existingIdLow;
  }

  /** The text of that id; empty if its key determines it. */
  public Bytes existingIdText() {
    return existingIdText;
  }
}
