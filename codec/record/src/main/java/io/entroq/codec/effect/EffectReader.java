package io.entroq.codec.effect;

import org.agrona.DirectBuffer;

/** One effect of a {@link StepFrame}. */
public final class EffectReader {
  private static final int FIRST_OF_DOCS = EffectKinds.DOC_INSERTED;
  private static final int FIRST_OF_POLICIES = EffectKinds.POLICY_WRITTEN;

  private final StepFrame step;
  private final int[] offsets = new int[EffectParts.COUNT];
  private final int[] lengths = new int[EffectParts.COUNT];
  private DirectBuffer buffer;
  private int start;

  EffectReader(StepFrame step) {
    this.step = step;
  }

  /** Finds the parts; false if they are not within the bytes of the effect. */
  boolean wrap(DirectBuffer source, int offset, int length) {
    buffer = source;
    start = offset;
    int end = offset + length;
    int at = offset + EffectLayout.FIXED_BYTES;
    int parts = parts();
    if (parts >>> EffectParts.COUNT != 0) {
      return false;
    }
    for (int part = 0; part < EffectParts.COUNT; part++) {
      lengths[part] = 0;
      if ((parts & (1 << part)) != 0) {
        int rest = end - at - Integer.BYTES;
        int bytes = rest < 0 ? -1 : buffer.getInt(at);
        if (bytes < 0 || bytes > rest) {
          return false;
        }
        offsets[part] = at + Integer.BYTES;
        lengths[part] = bytes;
        at += EffectLayout.partBytes(bytes);
      }
    }
    return EffectLayout.aligned(at - offset) == length;
  }

  private int parts() {
    return buffer.getInt(start + EffectLayout.PARTS);
  }

  private boolean isSet(int flag) {
    return (buffer.getByte(start + EffectLayout.FLAGS) & flag) != 0;
  }

  private int getInt(int field) {
    return buffer.getInt(start + field);
  }

  private long getLong(int field) {
    return buffer.getLong(start + field);
  }

  /** The step that did it: its sequence and {@link #index} are the position. */
  public StepFrame step() {
    return step;
  }

  /** The place among the effects of the step, from 0. */
  public int index() {
    return getInt(EffectLayout.INDEX);
  }

  /** One of {@link EffectKinds}. */
  public int kind() {
    return buffer.getByte(start + EffectLayout.KIND);
  }

  public boolean isOfTask() {
    return kind() < FIRST_OF_DOCS;
  }

  /** Whether it is about a doc or a doc set. */
  public boolean isOfDocs() {
    return kind() >= FIRST_OF_DOCS && kind() < FIRST_OF_POLICIES;
  }

  /** See {@link EffectFlags#WAS_IN_FLIGHT}. */
  public boolean wasInFlight() {
    return isSet(EffectFlags.WAS_IN_FLIGHT);
  }

  /** See {@link EffectFlags#FAILED}. */
  public boolean isFailed() {
    return isSet(EffectFlags.FAILED);
  }

  /** See {@link EffectFlags#REQUESTED}: whether the claimant of the step asked for it. */
  public boolean isRequested() {
    return isSet(EffectFlags.REQUESTED);
  }

  /** See {@link EffectFlags#IN_FLIGHT}. */
  public boolean isInFlight() {
    return isSet(EffectFlags.IN_FLIGHT);
  }

  /** 0 absent, 1 bytes, 2 a serialized protobuf Value; also if the value is left out. */
  public int valueKind() {
    return buffer.getByte(start + EffectLayout.VALUE_KIND);
  }

  public int version() {
    return getInt(EffectLayout.VERSION);
  }

  /** The claims of a task, or the docs of a set. */
  public int count() {
    return getInt(EffectLayout.COUNT);
  }

  public int attempt() {
    return getInt(EffectLayout.ATTEMPT);
  }

  public long idHigh() {
    return getLong(EffectLayout.ID_HIGH);
  }

  public long idLow() {
    return getLong(EffectLayout.ID_LOW);
  }

  /** Tells successive tasks with the same id apart. */
  public long insertSequence() {
    return getLong(EffectLayout.INSERT_SEQUENCE);
  }

  /** When a task or a set becomes available, or until when a policy or a breaker pauses. */
  public long dueMs() {
    return getLong(EffectLayout.DUE);
  }

  public long createdMs() {
    return getLong(EffectLayout.CREATED);
  }

  public long modifiedMs() {
    return getLong(EffectLayout.MODIFIED);
  }

  /** Both halves are 0 if there is no claimant. */
  public long claimantHigh() {
    return getLong(EffectLayout.CLAIMANT_HIGH);
  }

  public long claimantLow() {
    return getLong(EffectLayout.CLAIMANT_LOW);
  }

  /** How often the lease of a task ended without a word about the work. */
  public int lapses() {
    return getInt(EffectLayout.LAPSES);
  }

  /** When a task expires; 0 not, -1 never. */
  public long expiresMs() {
    return getLong(EffectLayout.EXPIRES);
  }

  /** Why the server has moved a task: one of {@link io.entroq.codec.message.DeadReasons}. */
  public int reason() {
    return buffer.getByte(start + EffectLayout.REASON);
  }

  /** When it did; 0 if it did not. */
  public long deadAtMs() {
    return getLong(EffectLayout.DEAD_AT);
  }

  // Parts.

  /** The buffer of all parts. */
  public DirectBuffer buffer() {
    return buffer;
  }

  /**
   * Whether a part is there. Only the value can be there and empty.
   *
   * @param part one of {@link EffectParts}
   */
  public boolean has(int part) {
    return (parts() & (1 << part)) != 0;
  }

  /** Where a part begins in the buffer; meaningless if it is not there. */
  public int offset(int part) {
    return offsets[part];
  }

  /** The bytes of a part; 0 if it is not there. */
  public int length(int part) {
    return lengths[part];
  }
}
